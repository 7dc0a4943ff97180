import type { ParentPort } from "./child.ts";

interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { data: unknown }) => void): void;
}

/** The way back to the process that started this one: Electron's utility process has its own, `child_process` another. */
export function parentPort(): ParentPort {
  const utility = (process as NodeJS.Process & { parentPort?: UtilityPort }).parentPort;
  if (utility) {
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on("message", (event) => listener(event.data)),
    };
  }
  // Without a parent there is nobody to work for; when it goes away, so does this process.
  process.once("disconnect", () => process.exit(0));
  return {
    post: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on("message", listener),
  };
}
