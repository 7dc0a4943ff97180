/**
 * All turns this window has heard of, whichever screen is shown. Tokens come faster than frames, so watchers are told
 * at most once a frame. A gap in the numbers (a reload, a lost message) is closed through `turns.replay`.
 */
import type { AppEvent, TurnEvent, TurnId } from "../../core/contract/index.ts";
import { call, listen } from "../hooks/bridge.ts";
import { applyEvent, hasGap } from "./reduce.ts";
import { emptyTurn, type TurnView } from "./view.ts";

const kept = 40;
const turns = new Map<string, TurnView>();
const activeIn = new Map<string, string>();
const watchers = new Set<() => void>();
const replaying = new Set<string>();
let scheduled = false;
let states: ReadonlyMap<string, "answering" | "waiting"> = new Map();

const isTurnEvent = (event: { type: string }): event is TurnEvent => event.type.startsWith("turn.");

function take(event: TurnEvent): void {
  const before = turns.get(event.turnId) ?? emptyTurn(event.turnId, event.conversationId);
  const after = applyEvent(before, event);
  if (after === before) return;
  turns.set(event.turnId, after);
  if (after.ended) {
    if (activeIn.get(event.conversationId) === event.turnId) activeIn.delete(event.conversationId);
    forgetOldest();
  } else {
    activeIn.set(event.conversationId, event.turnId);
  }
  if (hasGap(after)) void replay(event.turnId as TurnId);
  schedule();
}

function forgetOldest(): void {
  if (turns.size <= kept) return;
  for (const [id, view] of turns) {
    if (turns.size <= kept) return;
    if (view.ended) turns.delete(id);
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  // A hidden window draws no frames but still has to keep up.
  if (typeof requestAnimationFrame === "function" && !document.hidden) requestAnimationFrame(publish);
  else setTimeout(publish, 50);
}

function publish(): void {
  scheduled = false;
  const running = [...activeIn.values()].map((id) => turns.get(id)).filter((view) => view !== undefined);
  const next = new Map(running.map((view) => [view.conversationId, stateOf(view)]));
  if (next.size !== states.size || [...next].some(([id, state]) => states.get(id) !== state)) states = next;
  for (const watcher of [...watchers]) watcher();
}

const stateOf = (view: TurnView): "answering" | "waiting" =>
  view.phase === "WAITING_APPROVAL" || view.phase === "CLARIFYING" ? "waiting" : "answering";

/** Asks the core for what was missed of a turn. */
export async function replay(turnId: TurnId): Promise<void> {
  if (replaying.has(turnId)) return;
  replaying.add(turnId);
  try {
    const { events } = await call("turns.replay", { turnId, afterSeq: turns.get(turnId)?.seq ?? 0 });
    for (const event of events) take(event);
  } catch {
    // The core no longer knows this turn: its message carries what was stored.
  } finally {
    replaying.delete(turnId);
  }
}

let disconnect: (() => void) | null = null;

/** Starts listening; safe to call again. */
function connectTurns(): void {
  disconnect ??= listen((event) => {
    if (isTurnEvent(event as AppEvent)) take(event as TurnEvent);
  });
}

/** Must only be called with turns that run: a turn from the trail of old messages does not belong here. */
export const turnById = (turnId: string | null): TurnView | null =>
  turnId === null ? null : (turns.get(turnId) ?? null);

export const activeTurnIn = (conversationId: string): TurnView | null => turnById(activeIn.get(conversationId) ?? null);

/** What the running turns do, by conversation; the same map until one of them changes. */
export const turnStates = (): ReadonlyMap<string, "answering" | "waiting"> => states;

export function watchTurns(watcher: () => void): () => void {
  connectTurns();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** For tests: as if the window had just opened. */
export function forgetTurns(): void {
  disconnect?.();
  disconnect = null;
  turns.clear();
  activeIn.clear();
  replaying.clear();
  states = new Map();
}
