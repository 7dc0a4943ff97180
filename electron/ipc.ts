import { type IpcMainInvokeEvent, ipcMain, type WebContents } from "electron";
import {
  asCredenceError,
  type BridgeEvent,
  type BridgeMethod,
  bridgeMethods,
  type CallOutcome,
  CredenceError,
  type methods,
  shellMethods,
} from "../core/contract/index.ts";
import { appOrigin } from "./protocol.ts";

export interface CallTarget {
  /** Runs one of the core's methods; waits for the core to be up. */
  core(method: keyof typeof methods, params: unknown): Promise<unknown>;
  /** Runs one of the shell's methods for the window that asked. */
  shell(method: keyof typeof shellMethods, params: unknown, contents: WebContents): Promise<unknown>;
  /** Also checks results against the contract, in development and test builds. */
  readonly checkResults: boolean;
  failed(method: string, thrown: unknown): void;
}

/** Only the top frame of a page of ours may call. */
export function isTrustedSender(event: Pick<IpcMainInvokeEvent, "senderFrame">): boolean {
  const frame = event.senderFrame;
  if (!frame || frame.parent !== null) return false;
  try {
    const url = new URL(frame.url);
    return `${url.protocol}//${url.host}` === appOrigin;
  } catch {
    return false;
  }
}

/** The one handler: every call of every window comes through here, is checked, and answers with data. */
export function answerCalls(target: CallTarget): void {
  ipcMain.handle("credence:call", async (event, method: unknown, params: unknown): Promise<CallOutcome> => {
    try {
      if (!isTrustedSender(event))
        throw new CredenceError("general.unknown-method", { method: "(not from the window)" });
      return { ok: true, value: await dispatch(target, method, params, event.sender) };
    } catch (thrown) {
      const error = asCredenceError(thrown);
      if (error.kind === "general.unexpected") target.failed(String(method), thrown);
      return { ok: false, error: error.toData() };
    }
  });
}

async function dispatch(target: CallTarget, method: unknown, params: unknown, contents: WebContents): Promise<unknown> {
  if (typeof method !== "string" || !Object.hasOwn(bridgeMethods, method)) {
    throw new CredenceError("general.unknown-method", { method: String(method).slice(0, 80) });
  }
  const name = method as BridgeMethod;
  const parsed = bridgeMethods[name].params.safeParse(params);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const problem = issue ? `${issue.path.join(".") || "the parameters"}: ${issue.message}` : "wrong shape";
    throw new CredenceError("general.invalid-request", { method, problem });
  }
  const value = Object.hasOwn(shellMethods, name)
    ? await target.shell(name as keyof typeof shellMethods, parsed.data, contents)
    : // The core parses for itself, as it does for the command line.
      await target.core(name as keyof typeof methods, params);
  if (target.checkResults) {
    const result = bridgeMethods[name].result.safeParse(value);
    if (!result.success) throw new Error(`${name} answered outside its contract: ${result.error.message}`);
  }
  return value;
}

/** Sends an event to a window. A window that is gone or reloading misses it, and asks for a replay when it is back. */
export function pushEvent(contents: WebContents, event: BridgeEvent): void {
  if (!contents.isDestroyed() && !contents.isCrashed()) contents.send("credence:event", event);
}
