/** The only file that touches `window.credence`; everything else goes through `call` and `listen`. */
import type { BridgeError, BridgeEvent, BridgeMethod, BridgeParams, BridgeResult } from "../../core/contract/bridge.ts";

export type { BridgeError, BridgeEvent, BridgeMethod, BridgeParams, BridgeResult };
export type BridgeEventOf<Type extends BridgeEvent["type"]> = Extract<BridgeEvent, { type: Type }>;

/** Calls a method of the core or the shell. Rejects with a `BridgeError`, whose `message` is a sentence for the user. */
export function call<Name extends BridgeMethod>(method: Name, params: BridgeParams<Name>): Promise<BridgeResult<Name>> {
  return window.credence.call(method, params);
}

export const platform = (): "linux" | "darwin" | "win32" => window.credence.platform;

/** Paths of files that the user dropped or chose; what has no path (made by script) is left out. */
export function pathsOf(files: Iterable<File>): string[] {
  return [...files].map((file) => window.credence.pathForFile(file)).filter((path) => path !== "");
}

/** Anything thrown, as an error whose message can be shown. */
export function asProblem(thrown: unknown): BridgeError {
  if (typeof thrown === "object" && thrown !== null && "kind" in thrown && "message" in thrown) {
    return thrown as BridgeError;
  }
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    kind: "general.unexpected",
    message: "Something went wrong in this window. Your data is safe; try again.",
    facts: { detail },
    retry: "now",
  };
}

const listeners = new Set<(event: BridgeEvent) => void>();
let disconnect: (() => void) | null = null;

/** Hears every event from now on. One subscription to the bridge serves all listeners, in the order they came. */
export function listen(listener: (event: BridgeEvent) => void): () => void {
  listeners.add(listener);
  disconnect ??= window.credence.on((event) => {
    for (const each of [...listeners]) each(event);
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      disconnect?.();
      disconnect = null;
    }
  };
}
