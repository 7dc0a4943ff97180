import { existsSync } from "node:fs";
import { resolve } from "node:path";

export interface LaunchArguments {
  readonly dataDir: string | undefined;
  /** Files named on the command line that exist, as absolute paths. */
  readonly files: readonly string[];
  /** The first argument that is neither a switch nor a switch's value: the command, if it is one. */
  readonly word: string | null;
  /** Everything after `--cli`: Electron is asked to be the `credence` command instead of a window. */
  readonly command: readonly string[] | null;
}

/** What makes Electron run where there is no display, for the command line. Must stand on its command line. */
export const headlessSwitches = ["--ozone-platform=headless", "--disable-gpu", "--log-level=3"] as const;

/**
 * Reads what the program was started with. `argv` is without the executable (and, unpackaged, without the app's folder);
 * switches that Chromium or Electron understand are skipped.
 */
export function readArguments(argv: readonly string[], cwd: string): LaunchArguments {
  const cli = argv.indexOf("--cli");
  if (cli >= 0) return { dataDir: undefined, files: [], word: null, command: argv.slice(cli + 1) };
  const words: string[] = [];
  let dataDir: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === "--data-dir") dataDir = argv[++i];
    else if (word.startsWith("--data-dir=")) dataDir = word.slice("--data-dir=".length);
    else if (!word.startsWith("-")) words.push(word);
  }
  return {
    dataDir: dataDir === undefined ? undefined : resolve(cwd, dataDir),
    files: words.map((word) => resolve(cwd, word)).filter((path) => existsSync(path)),
    word: words[0] ?? null,
    command: null,
  };
}

/** The arguments for the command itself: without the switches that only the executable understands. */
export function commandArguments(argv: readonly string[]): string[] {
  return argv.filter((word) => word !== "--no-sandbox" && !(headlessSwitches as readonly string[]).includes(word));
}

/** Whether a window can open. A local X display or Wayland counts only if its socket is there. */
export function hasDisplay(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
): boolean {
  if (platform !== "linux") return true;
  const wayland = env["WAYLAND_DISPLAY"];
  if (wayland && exists(resolve(env["XDG_RUNTIME_DIR"] ?? "/", wayland))) return true;
  const display = env["DISPLAY"];
  if (!display) return false;
  const local = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display);
  return local ? exists(`/tmp/.X11-unix/X${local[1]}`) : true;
}
