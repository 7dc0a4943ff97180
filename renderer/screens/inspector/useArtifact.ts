import { useCallback, useEffect, useRef, useState } from "react";
import type { TurnId } from "../../../core/contract/index.ts";
import { asProblem, type BridgeError, call } from "../../hooks/bridge.ts";

export interface Artifact {
  readonly text: string;
  readonly totalChars: number;
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: BridgeError | null;
  /** Reads the next page, if there is one. */
  readonly more: () => Promise<void>;
  /** The whole text, however long; what is read stays read. */
  readonly all: () => Promise<string>;
}

interface State {
  readonly text: string;
  readonly totalChars: number;
  readonly next: number | null;
  readonly loading: boolean;
  readonly problem: BridgeError | null;
}

/** A prompt or an output as kept on disk, page by page: it may be as long as a book. */
export function useArtifact(turnId: string, artifactId: string): Artifact {
  const [state, setState] = useState<State>({ text: "", totalChars: 0, next: 0, loading: true, problem: null });
  const latest = useRef(state);
  latest.current = state;
  const running = useRef<Promise<void> | null>(null);

  const more = useCallback((): Promise<void> => {
    if (running.current) return running.current;
    const offset = latest.current.next;
    if (offset === null) return Promise.resolve();
    const read = call("turns.artifact", { turnId: turnId as TurnId, artifactId, offset }).then(
      (page) => {
        const next: State = {
          text: latest.current.text + page.text,
          totalChars: page.totalChars,
          next: page.nextOffset,
          loading: false,
          problem: null,
        };
        latest.current = next;
        setState(next);
      },
      (thrown) => {
        const next = { ...latest.current, loading: false, problem: asProblem(thrown) };
        latest.current = next;
        setState(next);
      },
    );
    running.current = read.finally(() => {
      running.current = null;
    });
    return running.current;
  }, [turnId, artifactId]);

  useEffect(() => {
    void more();
  }, [more]);

  const all = useCallback(async () => {
    while (latest.current.next !== null && latest.current.problem === null) await more();
    return latest.current.text;
  }, [more]);

  const { text, totalChars, next, loading, problem } = state;
  return { text, totalChars, complete: next === null, loading, problem, more, all };
}
