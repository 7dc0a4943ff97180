import { app } from "electron";
import { runCommandLine } from "../core/cli/index.ts";
import { electronChildHost } from "./child-host.ts";
import { childEntries, nativePaths, shippedModelDirs } from "./paths.ts";

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
