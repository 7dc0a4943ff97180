import { spawnSync } from "node:child_process";
import { app } from "electron";
import { commands, runCommandLine } from "../core/cli/index.ts";
import { headlessSwitches } from "./arguments.ts";
import { electronChildHost } from "./child-host.ts";
import { childEntries, nativePaths, shippedModelDirs } from "./paths.ts";

/** Whether a word begins one of the commands. */
export function isCommand(word: string): boolean {
  return word === "help" || commands.some((command) => command.name.split(" ")[0] === word);
}

/**
 * Starts this executable again as a command that needs no display: Chromium decides that from its command line alone,
 * before any script can. Terminal, pipes and exit code are the second process's.
 */
export function runHeadless(argv: readonly string[]): void {
  const own = app.isPackaged ? [] : [app.getAppPath()];
  const sandbox = process.argv.includes("--no-sandbox") ? ["--no-sandbox"] : [];
  const { status } = spawnSync(process.execPath, [...own, ...sandbox, ...headlessSwitches, "--cli", ...argv], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}

/** The `credence` command of a release: Electron without a window, on the same core. */
export async function run(argv: readonly string[]): Promise<void> {
  app.dock?.hide();
  await app.whenReady();
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  // A reader that goes away (`credence ... | head`) is an end, not an error.
  process.stdout.on("error", () => app.exit(0));
  const code = await runCommandLine({
    argv,
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    modelDirs: shippedModelDirs(),
    childHost: electronChildHost(childEntries),
    native: await nativePaths(),
    signal: stop.signal,
  });
  process.stdout.write("", () => app.exit(code));
}
