import { utilityProcess } from "electron";
import type { ChildHost, ChildKind, ChildPort } from "../core/platform/index.ts";

/**
 * Starts the core's helper processes as Electron utility processes: Node without a window, one service each.
 * `maxOldSpaceMb` is not passed on: utility processes ignore V8's heap limit (measured), so that what bounds them is the
 * watch on resident memory that the parser process keeps over itself.
 */
export function electronChildHost(entries: Readonly<Record<ChildKind, string>>): ChildHost {
  return {
    spawn(kind): ChildPort {
      const child = utilityProcess.fork(entries[kind], [], {
        serviceName: `Credence ${kind}`,
        stdio: process.env["CREDENCE_DEBUG"] ? "inherit" : "ignore",
      });
      let ended = false;
      let killed = false;
      const endNow = () => {
        if (!ended && child.pid !== undefined) process.kill(child.pid, "SIGKILL");
      };
      child.on("spawn", () => {
        if (killed) endNow();
      });
      child.on("exit", () => {
        ended = true;
      });
      return {
        get pid() {
          return child.pid;
        },
        post(message) {
          if (!ended) child.postMessage(message);
        },
        onMessage(listener) {
          child.on("message", listener);
        },
        onExit(listener) {
          // Electron reports a death by signal as the signal's number or a wait status; which one is not documented.
          child.once("exit", (code) => listener(code, null));
        },
        kill() {
          killed = true;
          try {
            endNow();
          } catch {
            // It ended between the check and the signal.
          }
        },
      };
    },
  };
}
