/** An engine process that a test drives: it answers operations by a table, and can be made to die. */

import { CredenceError } from "../../core/contract/index.ts";
import type { FromEngine, Operation, ToEngine } from "../../core/models/engine/protocol.ts";
import type { ChildHost, ChildPort } from "../../core/platform/index.ts";

type Answer = (
  params: never,
  tell: { chunk(text: string): void; progress(fraction: number): void; cancelled: Promise<void> },
) => unknown;

export interface FakeProcess {
  readonly graphics: boolean | null;
  die(): void;
  readonly killed: boolean;
}

export class FakeEngine implements ChildHost {
  readonly answers = new Map<Operation, Answer>();
  readonly processes: FakeProcess[] = [];
  readonly calls: { operation: Operation; params: unknown }[] = [];
  /** What a new process does when it is told to start: says it is ready, says why not, or dies. */
  onStart: (process: number) => "ready" | "failed" | "die" = () => "ready";

  on<Name extends Operation>(operation: Name, answer: Answer): this {
    this.answers.set(operation, answer);
    return this;
  }

  get last(): FakeProcess {
    return this.processes.at(-1)!;
  }

  spawn(): ChildPort {
    const messageListeners: ((message: unknown) => void)[] = [];
    const exitListeners: ((code: number | null, signal: string | null) => void)[] = [];
    const cancels = new Map<number, () => void>();
    let alive = true;
    const number = this.processes.length;
    const state = { graphics: null as boolean | null, killed: false, die: () => end("SIGKILL") };
    const end = (signal: string | null): void => {
      if (!alive) return;
      alive = false;
      for (const listener of exitListeners) listener(null, signal);
    };
    const say = (message: FromEngine): void => {
      if (alive) for (const listener of messageListeners) listener(message);
    };
    this.processes.push(state);
    const serve = async (message: Extract<ToEngine, { kind: "call" }>): Promise<void> => {
      this.calls.push({ operation: message.operation, params: message.params });
      const { id } = message;
      const cancelled = new Promise<void>((resolve) => cancels.set(id, resolve));
      try {
        const answer = this.answers.get(message.operation);
        if (!answer)
          throw new CredenceError("models.invalid-request", { problem: `no answer to ${message.operation}` });
        const result = await answer(message.params as never, {
          chunk: (text) => say({ kind: "chunk", id, chunk: { channel: "answer", text } }),
          progress: (fraction) => say({ kind: "progress", id, fraction }),
          cancelled,
        });
        say({ kind: "result", id, result });
      } catch (error) {
        say({ kind: "error", id, error: (error as CredenceError).toData() });
      }
    };
    return {
      pid: 1000 + number,
      post: (raw) => {
        const message = raw as ToEngine;
        queueMicrotask(() => {
          if (!alive) return;
          if (message.kind === "start") {
            state.graphics = message.graphics;
            const what = this.onStart(number);
            if (what === "ready") say({ kind: "ready" });
            else if (what === "failed") say({ kind: "failed", detail: "no working library" });
            else end("SIGABRT");
          } else if (message.kind === "cancel") cancels.get(message.id)?.();
          else void serve(message);
        });
      },
      onMessage: (listener) => messageListeners.push(listener),
      onExit: (listener) => exitListeners.push(listener),
      kill: () => {
        state.killed = true;
        end("SIGKILL");
      },
    };
  }
}
