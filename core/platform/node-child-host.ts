import { fork } from "node:child_process";
import type { ChildHost, ChildKind } from "./child.ts";

/**
 * Helper processes under plain Node, with the structured clone of `child_process` (`serialization: "advanced"`), so that
 * typed arrays travel as they do in Electron. The program of each kind is a file that Node can run.
 */
export function nodeChildHost(entries: Readonly<Record<ChildKind, string>>): ChildHost {
  return {
    spawn(kind, options = {}) {
      const child = fork(entries[kind], [], {
        serialization: "advanced",
        execArgv: options.maxOldSpaceMb ? [`--max-old-space-size=${options.maxOldSpaceMb}`] : [],
        // llama.cpp and the parsers write to stderr as they like; a terminal or a --json reader should see none of it.
        stdio: ["ignore", "ignore", process.env["CREDENCE_DEBUG"] ? "inherit" : "ignore", "ipc"],
      });
      let ended = false;
      const onExit: ((code: number | null, signal: string | null) => void)[] = [];
      const end = (code: number | null, signal: string | null) => {
        if (ended) return;
        ended = true;
        for (const listener of onExit) listener(code, signal);
      };
      child.once("exit", end);
      // A program that could not be started at all never exits.
      child.once("error", () => end(null, null));
      return {
        get pid() {
          return child.pid;
        },
        post(message) {
          // A child that has just died is reported by its exit; the send itself must not throw in the meantime.
          if (child.connected) child.send(message as object, () => {});
        },
        onMessage: (listener) => void child.on("message", listener),
        onExit: (listener) => void onExit.push(listener),
        kill: () => void child.kill("SIGKILL"),
      };
    },
  };
}
