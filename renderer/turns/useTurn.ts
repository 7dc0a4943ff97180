import { useSyncExternalStore } from "react";
import { activeTurnIn, turnById, turnStates, watchTurns } from "./store.ts";
import type { TurnView } from "./view.ts";

/**
 * A part of a turn: renders only when that part changes. `select` must give the same value (by `Object.is`) for the same
 * part, and be the same function each time. Undefined while this window does not know the turn.
 */
export const useTurnPart = <Part>(turnId: string | null, select: (turn: TurnView) => Part): Part | undefined =>
  useSyncExternalStore(watchTurns, () => {
    const turn = turnById(turnId);
    return turn ? select(turn) : undefined;
  });

/** The turn that runs in a conversation now. Renders with every token. */
export const useActiveTurn = (conversationId: string): TurnView | null =>
  useSyncExternalStore(watchTurns, () => activeTurnIn(conversationId));

/** A part of the turn that runs in a conversation; null while none does. */
export const useActivePart = <Part>(conversationId: string, select: (turn: TurnView) => Part): Part | null =>
  useSyncExternalStore(watchTurns, () => {
    const turn = activeTurnIn(conversationId);
    return turn ? select(turn) : null;
  });

/** By conversation, what its turn does now. Renders only when one of them changes. */
export const useTurnStates = (): ReadonlyMap<string, "answering" | "waiting"> =>
  useSyncExternalStore(watchTurns, turnStates);

/** A turn waits for a permission or an answer. */
export const useTurnPip = (): boolean => [...useTurnStates().values()].includes("waiting");
