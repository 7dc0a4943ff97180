/**
 * Pure: a view and an event in, the next view out. Events may come twice, out of order, or with a gap (a reload in the
 * middle): what was applied is never applied again, what is early waits, and the result is that of the events in order.
 */
import type { TurnEvent } from "../../core/contract/index.ts";
import { applyNext } from "./apply.ts";
import { emptyTurn, type TurnView } from "./view.ts";

/** Applies one event, whatever its place. */
export function applyEvent(view: TurnView, event: TurnEvent): TurnView {
  if (event.seq <= view.seq) return view;
  if (event.seq > view.seq + 1) {
    if (view.early.has(event.seq)) return view;
    return { ...view, early: new Map(view.early).set(event.seq, event) };
  }
  let next = applyNext(view, event);
  while (next.early.has(next.seq + 1)) {
    const following = next.early.get(next.seq + 1)!;
    const early = new Map(next.early);
    early.delete(following.seq);
    next = applyNext({ ...next, early }, following);
  }
  return next;
}

/** The view of a whole trail. */
export function viewOf(events: readonly TurnEvent[]): TurnView | null {
  const first = events[0];
  if (!first) return null;
  return events.reduce(applyEvent, emptyTurn(first.turnId, first.conversationId));
}

/** True when events are missing in the middle: the bridge should be asked for those after `seq`. */
export const hasGap = (view: TurnView): boolean => view.early.size > 0;
