import { useEffect, useState } from "react";
import type { Message, MessageId } from "../../../../core/contract/index.ts";
import { call } from "../../../hooks/bridge.ts";
import { viewOf } from "../../../turns/reduce.ts";
import { useTurnPart } from "../../../turns/useTurn.ts";
import type { TurnView } from "../../../turns/view.ts";

const kept = 200;
const trails = new Map<string, TurnView | null>();

function keep(key: string, view: TurnView | null): void {
  trails.delete(key);
  trails.set(key, view);
  const oldest = trails.keys().next().value;
  if (trails.size > kept && oldest !== undefined) trails.delete(oldest);
}

/**
 * The turn behind an answer: from this window's life while it is known, else from the stored trail, read once when the
 * answer comes into view. Null until read, and for answers without a trail.
 */
export const useTrail = (message: Message): TurnView | null => useTrailPart(message, whole) ?? null;

const whole = (turn: TurnView): TurnView => turn;

/** A part of the turn behind an answer; renders only when that part changes. `select` as for `useTurnPart`. */
export function useTrailPart<Part>(message: Message, select: (turn: TurnView) => Part): Part | undefined {
  const live = useTurnPart(message.turnId, select);
  const key = `${message.id}:${message.versions?.index ?? 0}`;
  const [, redraw] = useState(0);
  const wanted = live === undefined && message.role === "assistant" && message.turnId !== null && !trails.has(key);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    call("turns.trail", { messageId: message.id as MessageId }).then(
      ({ events }) => {
        keep(key, viewOf(events));
        if (current) redraw((n) => n + 1);
      },
      () => keep(key, null), // the answer stands without its trail
    );
    return () => {
      current = false;
    };
  }, [wanted, key, message.id]);
  const stored = trails.get(key);
  return live ?? (stored ? select(stored) : undefined);
}
