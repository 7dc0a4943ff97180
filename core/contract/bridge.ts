/** What the window sees of the rest of Credence: exactly this, put there by the preload, and nothing else. */
import type { z } from "zod";
import type { ErrorData } from "./errors/index.ts";
import type { AppEvent } from "./events/index.ts";
import type { ShellEvent } from "./events/shell.ts";
import { methods } from "./methods/index.ts";
import { shellMethods } from "./methods/shell.ts";

/** The methods a window may call: the core's and the shell's. */
export const bridgeMethods = { ...methods, ...shellMethods };
export type BridgeMethod = keyof typeof bridgeMethods;
export type BridgeParams<Name extends BridgeMethod> = z.input<(typeof bridgeMethods)[Name]["params"]>;
export type BridgeResult<Name extends BridgeMethod> = z.output<(typeof bridgeMethods)[Name]["result"]>;
export type BridgeEvent = AppEvent | ShellEvent;

export interface CredenceBridge {
  /** Resolves with the method's result; rejects with `ErrorData` (a plain object, never an `Error`). */
  call<Name extends BridgeMethod>(method: Name, params: BridgeParams<Name>): Promise<BridgeResult<Name>>;
  /** Calls `listener` with every event from now on, until the returned function is called. */
  on(listener: (event: BridgeEvent) => void): () => void;
  readonly platform: "linux" | "darwin" | "win32";
  /** The path of a file that the user dropped or chose; empty for a `File` that was made by script. */
  pathForFile(file: File): string;
}

/** One rejected call, as the window catches it. */
export type BridgeError = ErrorData;

/** What travels over IPC for a call: errors are data, so that their kind and facts survive the crossing. */
export type CallOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorData };
