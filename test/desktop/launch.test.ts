import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { root } from "../../electron/build/paths.ts";
import { cleanUp, temporaryFolder } from "./support/app.ts";

let started: ChildProcess | null = null;

afterEach(async () => {
  started?.kill("SIGKILL");
  started = null;
  await cleanUp();
});

function start(
  dataDir: string,
  env: Record<string, string | undefined>,
): { child: ChildProcess; output: () => string; end: Promise<number | null> } {
  const child = spawn(process.execPath, [join(root, "electron", "launch.ts"), "--data-dir", dataDir], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  started = child;
  let text = "";
  child.stdout!.on("data", (chunk) => (text += chunk));
  child.stderr!.on("data", (chunk) => (text += chunk));
  return { child, output: () => text, end: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
}

test("without a display, the start says so and chats in the terminal", async () => {
  const { child, output, end } = start(temporaryFolder(), { DISPLAY: undefined, WAYLAND_DISPLAY: undefined });
  child.stdin!.end("Say hello in one short sentence.\n");
  expect(await end, output()).toBe(0);
  const [, afterNotice] = output().split("There is no display here, so Credence opens in this terminal.");
  expect(afterNotice).toMatch(/\p{L}{2,}/u);
});

test("with a display, the start opens the window on the same profile, and ends in order when asked to", async () => {
  const dataDir = temporaryFolder();
  const { child, output, end } = start(dataDir, {});
  for (let i = 0; i < 900 && !existsSync(join(dataDir, "window", "Preferences")); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(existsSync(join(dataDir, "credence.db")), output()).toBe(true);
  child.kill("SIGTERM");
  expect(await end, output()).toBe(0);
});
