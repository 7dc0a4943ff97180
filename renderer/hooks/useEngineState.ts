import { useSyncExternalStore } from "react";
import { type BridgeEventOf, listen } from "./bridge.ts";

type EngineState = BridgeEventOf<"engine.state">;

let state: EngineState | null = null;
let disconnect: (() => void) | null = null;
const watchers = new Set<() => void>();

function subscribe(watcher: () => void): () => void {
  watchEngine();
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Listens from the start of the window on, so that a screen opened later knows too. */
export function watchEngine(): void {
  disconnect ??= listen((event) => {
    if (event.type !== "engine.state") return;
    state = event;
    for (const watcher of [...watchers]) watcher();
  });
}

/** For tests. */
export function forgetEngine(): void {
  disconnect?.();
  disconnect = null;
  state = null;
}

/** How the engine process is, as last told; null while it has said nothing. */
export const useEngineState = (): EngineState | null => useSyncExternalStore(subscribe, () => state);
