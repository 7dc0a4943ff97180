import { existsSync } from "node:fs";
import { resolve } from "node:path";

export interface LaunchArguments {
  readonly dataDir: string | undefined;
  /** Files named on the command line that exist, as absolute paths. */
  readonly files: readonly string[];
  /** The rest of the line when Electron is asked to be the `credence` command instead of a window. */
  readonly command: readonly string[] | null;
}

/**
 * Reads what the program was started with. `argv` is without the executable (and, unpackaged, without the app's folder);
 * switches that Chromium or Electron understand are skipped.
 */
export function readArguments(argv: readonly string[], cwd: string): LaunchArguments {
  const cli = argv.indexOf("--cli");
  if (cli >= 0) return { dataDir: undefined, files: [], command: argv.slice(cli + 1) };
  const files: string[] = [];
  let dataDir: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === "--data-dir") dataDir = argv[++i];
    else if (word.startsWith("--data-dir=")) dataDir = word.slice("--data-dir=".length);
    else if (!word.startsWith("-") && existsSync(resolve(cwd, word))) files.push(resolve(cwd, word));
  }
  return { dataDir: dataDir === undefined ? undefined : resolve(cwd, dataDir), files, command: null };
}
