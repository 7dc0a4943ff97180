import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** An Electron with one window and one text field: what any Electron app costs. */
export const emptyApp = join(import.meta.dirname, "empty-app");

/**
 * Milliseconds from starting the process until the window's text field is there and takes input. The page is watched
 * over the debugging port that Chromium opens itself, so that nothing holds the start up.
 */
export async function timeToField(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = Date.now();
  const child = spawn(command, [...args, "--remote-debugging-port=0"], { env, stdio: ["ignore", "ignore", "pipe"] });
  try {
    const port = await debuggingPort(child);
    return (await fieldTime(port)) - started;
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

function debuggingPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr!.on("data", (chunk) => {
      text += chunk;
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port) resolve(Number(port));
    });
    child.once("exit", (code) =>
      reject(new Error(`The app ended with ${code} before its window was there\n${text.slice(-500)}`)),
    );
  });
}

/** The moment, since the epoch, at which the page's text field could be used. */
async function fieldTime(port: number): Promise<number> {
  for (;;) {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const page = targets.find((target) => target.type === "page");
    if (page) return evaluate(page.webSocketDebuggerUrl);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const watchField = `new Promise((resolve) => {
  const look = () => {
    const field = document.querySelector("textarea:not([disabled])");
    if (!field) return requestAnimationFrame(look);
    field.focus();
    resolve(performance.timeOrigin + performance.now());
  };
  look();
})`;

function evaluate(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const send = () =>
      socket.send(
        JSON.stringify({
          id: 1,
          method: "Runtime.evaluate",
          params: { expression: watchField, awaitPromise: true, returnByValue: true },
        }),
      );
    socket.onopen = send;
    socket.onerror = () => reject(new Error("The page's debugger went away"));
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: { result?: { value?: unknown } } };
      if (answer.id !== 1) return;
      const value = answer.result?.result?.value;
      // The page was replaced under the question (about:blank gives way to the app): ask the new one.
      if (typeof value !== "number") return void send();
      socket.close();
      resolve(value);
    };
  });
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
