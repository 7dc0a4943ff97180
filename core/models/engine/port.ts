/** The engine's side of the channel: Electron's utility process and Node's child process look the same from here. */
import type { ParentPort } from "../../platform/index.ts";

interface ElectronPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { data: unknown }) => void): void;
}

/** Throws when the process was started by hand, without a parent to talk to. */
export function parentPort(): ParentPort {
  const electron = (process as { parentPort?: ElectronPort }).parentPort;
  if (electron) {
    return {
      post: (message) => electron.postMessage(message),
      onMessage: (listener) => electron.on("message", (event) => listener(event.data)),
    };
  }
  if (!process.send) throw new Error("This process is started by Credence, not by hand.");
  // An orphan has nothing to do: without this it would hold a model's memory for ever.
  process.on("disconnect", () => process.exit(0));
  return {
    post: (message) => {
      if (process.connected) process.send!(message);
    },
    onMessage: (listener) => {
      process.on("message", listener);
    },
  };
}
