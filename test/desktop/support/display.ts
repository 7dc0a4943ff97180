import { type ChildProcess, spawn } from "node:child_process";
import { hasDisplay } from "../../../electron/arguments.ts";

/**
 * An X server without a screen, where no display is there to use. Chooses a free number itself; the returned function
 * ends it. Sets DISPLAY for everything started afterwards.
 */
export async function ensureDisplay(size = "1600x1000x24"): Promise<() => void> {
  if (hasDisplay(process.platform, process.env)) return () => {};
  const server: ChildProcess = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    server.on("error", (cause) => reject(new Error("The desktop tests need a display or the package xvfb", { cause })));
    server.on("exit", (code) => reject(new Error(`Xvfb ended with ${code} before it was ready`)));
    let text = "";
    server.stdio[3]!.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.trim());
    });
  });
  process.env["DISPLAY"] = `:${number}`;
  return () => server.kill("SIGTERM");
}
