import type { ParseArgsConfig } from "node:util";
import type { App } from "../app.ts";
import type { ChildHost, Clock } from "../platform/index.ts";
import type { NativePaths } from "../storage/index.ts";

/**
 * Exit codes of every command:
 * 0 done; 1 the command failed (the error says why); 2 the command line is wrong; 3 done, but some inputs failed
 * (each with its own error); 130 stopped by Ctrl+C.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, partly: 3, stopped: 130 } as const;

export type CommandOptions = NonNullable<ParseArgsConfig["options"]>;

export interface Command {
  /** One or two words: "ask", "models import". */
  readonly name: string;
  /** What follows the name: "TEXT [--model FILE]". */
  readonly usage: string;
  /** One sentence, shown by `credence help`. */
  readonly summary: string;
  /** Beside the common ones: --json, --lines, --data-dir, --help. */
  readonly options?: CommandOptions;
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** One JSON document on standard output and nothing else. */
  readonly json: boolean;
  /** One JSON document a line, in the order of the inputs. */
  readonly lines: boolean;
  readonly dataDir: string;
  readonly modelDirs: readonly string[];
  readonly childHost: ChildHost;
  readonly native: NativePaths;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Starts the core on the profile, once; closed by the frame when the command ends. Shares a profile that is open elsewhere. */
  app(): Promise<App>;
  /** Standard output, a whole line. Waits while a pipe is full. */
  print(text: string): Promise<void>;
  /** Standard output without a line end, for streaming. */
  write(text: string): Promise<void>;
  /** Standard error: progress and remarks, silent with --json or --lines. */
  remark(text: string): void;
  /** The inputs of a `--lines` command: its arguments, or else the lines of standard input. */
  inputs(): AsyncIterable<string>;
  /** The arguments joined with spaces, or standard input when there are none or the only one is "-". */
  text(): Promise<string>;
}
