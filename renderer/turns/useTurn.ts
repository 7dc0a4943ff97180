import { useSyncExternalStore } from "react";
import { activeTurnIn, runningTurns, turnById, watchTurns } from "./store.ts";
import type { TurnView } from "./view.ts";

/** A turn of this window's life by its id. */
export const useTurn = (turnId: string | null): TurnView | null =>
  useSyncExternalStore(watchTurns, () => turnById(turnId));

/** The turn that runs in a conversation now. */
export const useActiveTurn = (conversationId: string): TurnView | null =>
  useSyncExternalStore(watchTurns, () => activeTurnIn(conversationId));

/** Every turn that runs now. */
export const useRunningTurns = (): readonly TurnView[] => useSyncExternalStore(watchTurns, runningTurns);

/** A turn waits for a permission or an answer. */
export const useTurnPip = (): boolean =>
  useRunningTurns().some((turn) => turn.phase === "WAITING_APPROVAL" || turn.phase === "CLARIFYING");
