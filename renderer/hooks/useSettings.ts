import { useSyncExternalStore } from "react";
import type { Settings } from "../../core/contract/index.ts";
import { toast } from "../components/toasts.ts";
import { asProblem, call, listen } from "./bridge.ts";

export type { Settings };

let settings: Settings | null = null;
const watchers = new Set<() => void>();
let disconnect: (() => void) | null = null;

function put(next: Settings): void {
  settings = next;
  for (const watcher of [...watchers]) watcher();
}

function start(): void {
  if (disconnect) return;
  disconnect = listen((event) => {
    if (event.type === "settings.changed") put(event.settings);
  });
  call("settings.get", {}).then(put, forgetSettings);
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  start();
  return () => watchers.delete(watcher);
};

/** The settings, or null until they are read. */
export function useSettings(): Settings | null {
  return useSyncExternalStore(subscribe, () => settings);
}

/** Changes settings: at once in this window, taken back with a message when the core refuses. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  const before = settings;
  if (before) put({ ...before, ...change });
  try {
    put(await call("settings.set", change));
  } catch (thrown) {
    if (before) put(before);
    toast({ text: asProblem(thrown).message, tone: "problem" });
  }
}

/** As if nothing had been read: the next use asks again. */
export function forgetSettings(): void {
  disconnect?.();
  disconnect = null;
  settings = null;
}
