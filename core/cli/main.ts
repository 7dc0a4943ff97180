/** The entry of the `credence` command under plain Node. */
import { nodeChildHost } from "../platform/node-child-host.ts";
import { installedPaths } from "./paths.ts";
import { runCommandLine } from "./run.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
// A reader that goes away (`credence ... | head`) is an end, not an error.
process.stdout.on("error", () => process.exit(0));

const paths = installedPaths();
process.exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  modelDirs: paths.modelDirs,
  childHost: nodeChildHost(paths.entries),
  signal: stop.signal,
});
// Child processes and idle sockets must not keep a finished command alive; output is flushed by then.
process.stdout.write("", () => process.exit());
