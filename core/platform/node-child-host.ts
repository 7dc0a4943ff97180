/** Helper processes under plain Node: `child_process` with structured cloning on its channel. */
import { fork } from "node:child_process";
import type { ChildHost, ChildKind, ChildPort } from "./child.ts";

/** `entries` are the files to run, TypeScript sources or bundles. Children end with their parent. */
export function nodeChildHost(entries: Readonly<Record<ChildKind, string>>): ChildHost {
  return {
    spawn(kind, options = {}): ChildPort {
      const child = fork(entries[kind], [], {
        serialization: "advanced",
        stdio: ["ignore", "ignore", process.env["CREDENCE_DEBUG"] ? "inherit" : "ignore", "ipc"],
        execArgv: options.maxOldSpaceMb ? [`--max-old-space-size=${Math.floor(options.maxOldSpaceMb)}`] : [],
      });
      let ended = false;
      const listeners: ((code: number | null, signal: string | null) => void)[] = [];
      let outcome: [number | null, string | null] | null = null;
      const finish = (code: number | null, signal: string | null): void => {
        if (ended) return;
        ended = true;
        outcome = [code, signal];
        for (const listener of listeners) listener(code, signal);
      };
      child.on("exit", finish);
      // A process that could not be started tells by an error alone.
      child.on("error", () => {
        if (child.pid === undefined || child.exitCode !== null) finish(child.exitCode, null);
      });
      return {
        get pid() {
          return child.pid;
        },
        post(message) {
          if (ended || !child.connected) return;
          // The channel may break between the check and the write; the exit that follows tells the listeners.
          child.send(message as object, () => {});
        },
        onMessage(listener) {
          child.on("message", listener);
        },
        onExit(listener) {
          if (outcome) listener(...outcome);
          else listeners.push(listener);
        },
        kill() {
          child.kill("SIGKILL");
        },
      };
    },
  };
}
