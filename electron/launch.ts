/**
 * `npm start`: brings what is missing (starter models, build, an Electron), then opens the window, or the same chat in
 * the terminal where there is no display. Every detour is told in one sentence.
 */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { fetchStarterModels, weightsFolder } from "../models/fetch.ts";
import { hasDisplay } from "./arguments.ts";
import { build } from "./build/build.ts";
import { root } from "./build/paths.ts";
import { developmentRuntime, type Runtime } from "./build/runtime.ts";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function bringModels(): Promise<void> {
  let last = "";
  const results = await fetchStarterModels({
    folder: weightsFolder,
    filesFrom: process.env["CREDENCE_MODELS_DIR"],
    onProgress({ model, stage, fraction }) {
      if (stage === "checking" || stage === "ready") return;
      const percent = fraction === null ? "" : ` ${Math.floor(fraction * 10) * 10} %`;
      const line = `Starter model ${model}: ${stage}${percent}`;
      if (line !== last) say(line);
      last = line;
    },
  });
  for (const { error } of results) {
    if (error) say(error.message);
  }
}

/** Chromium's sandbox needs a user other than root who may make user namespaces. Development may go without it. */
function sandboxArguments(): string[] {
  if (process.platform !== "linux") return [];
  if (process.getuid?.() === 0) {
    say("Running as root, so Chromium's sandbox is off. Releases never do this.");
    return ["--no-sandbox"];
  }
  const possible = spawnSync("unshare", ["--user", "--map-root-user", "true"], { stdio: "ignore" });
  if (possible.error || possible.status === 0) return [];
  say("This system forbids user namespaces, so Chromium's sandbox is off for this development run.");
  return ["--no-sandbox"];
}

/** Runs a program in the foreground to its end; its exit code, or 128 + the signal that ended it. */
function foreground(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    // The terminal sends Ctrl+C to both; a signal to this process alone is passed on, and the child decides when to end.
    process.on("SIGINT", () => {});
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

const openTerminal = (args: readonly string[]): Promise<number> =>
  foreground(process.execPath, [join(root, "core", "cli", "main.ts"), "chat", ...args]);

async function openWindow(runtime: Runtime, args: readonly string[]): Promise<number> {
  const quiet = process.env["CREDENCE_DEBUG"] ? [] : ["--log-level=3"];
  return foreground(runtime.executable, [root, ...sandboxArguments(), ...quiet, ...args], {
    env: { ...process.env, ...(runtime.sqliteAddon ? { CREDENCE_SQLITE_ADDON: runtime.sqliteAddon } : {}) },
  });
}

async function main(args: readonly string[]): Promise<number> {
  await bringModels();
  if (!hasDisplay(process.platform, process.env)) {
    say("There is no display here, so Credence opens in this terminal.");
    return openTerminal(args);
  }
  await build({ onlyIfStale: true, say });
  let runtime: Runtime;
  try {
    runtime = await developmentRuntime(say);
  } catch (thrown) {
    say(
      `No Electron can be had here (${thrown instanceof Error ? thrown.message.split("\n")[0] : thrown}), so Credence opens in this terminal.`,
    );
    return openTerminal(args);
  }
  return openWindow(runtime, args);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
