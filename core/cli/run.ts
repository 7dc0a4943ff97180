import { createInterface } from "node:readline";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type App, createApp } from "../app.ts";
import { asCredenceError, type CredenceError, isCredenceError } from "../contract/index.ts";
import { type ChildHost, profileFolder, systemClock } from "../platform/index.ts";
import type { NativePaths } from "../storage/index.ts";
import { type Command, type CommandContext, EXIT } from "./command.ts";
import { commands } from "./commands/index.ts";
import { helpFor, overview } from "./help.ts";

export interface CommandLine {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly modelDirs: readonly string[];
  readonly childHost: ChildHost;
  readonly native?: NativePaths;
  readonly signal: AbortSignal;
}

const COMMON = {
  json: { type: "boolean" },
  lines: { type: "boolean" },
  "data-dir": { type: "string" },
  help: { type: "boolean", short: "h" },
} satisfies NonNullable<ParseArgsConfig["options"]>;

/** Runs one command line to its exit code. Nothing is thrown: errors are printed as the user asked for output. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const found = findCommand(line.argv);
  if (!found) return unknownCommand(line);
  const { command, rest } = found;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...rest], options: { ...COMMON, ...command.options }, allowPositionals: true });
  } catch (thrown) {
    line.stderr.write(
      `credence ${command.name}: ${thrown instanceof Error ? thrown.message : thrown}\n\n${helpFor(command)}\n`,
    );
    return EXIT.usage;
  }
  if (parsed.values["help"]) {
    line.stdout.write(`${helpFor(command)}\n`);
    return EXIT.done;
  }
  const json = parsed.values["json"] === true;
  const lines = parsed.values["lines"] === true;
  let app: App | undefined;
  const context = makeContext(line, parsed.positionals, parsed.values, { json, lines }, async () => {
    app ??= await openApp(line, context.dataDir);
    return app;
  });
  try {
    return await command.run(context);
  } catch (thrown) {
    if (line.signal.aborted) return EXIT.stopped;
    const error = asCredenceError(thrown);
    if (error.kind === "general.cancelled") return EXIT.stopped;
    await report(error, context, line);
    return isCredenceError(error, "general.invalid-request") ? EXIT.usage : EXIT.failed;
  } finally {
    await app?.close();
  }
}

/** The longest command name that the arguments begin with; options may stand before it. */
function findCommand(argv: readonly string[]): { command: Command; rest: string[] } | null {
  const first = argv.findIndex((word, i) => !word.startsWith("-") && argv[i - 1] !== "--data-dir");
  if (first < 0) return null;
  const before = argv.slice(0, first);
  for (const words of [2, 1]) {
    const name = argv.slice(first, first + words).join(" ");
    const command = commands.find((candidate) => candidate.name === name);
    if (command) return { command, rest: [...before, ...argv.slice(first + words)] };
  }
  return null;
}

function unknownCommand(line: CommandLine): number {
  const word = line.argv.find((argument) => !argument.startsWith("-"));
  if (word === undefined || word === "help") {
    line.stdout.write(`${overview(commands)}\n`);
    return EXIT.done;
  }
  const group = commands.filter((command) => command.name.startsWith(`${word} `));
  const advice = group.length > 0 ? `It needs one of: ${group.map((c) => c.name).join(", ")}.` : "See: credence help";
  line.stderr.write(`credence: there is no command "${word}". ${advice}\n`);
  return EXIT.usage;
}

async function openApp(line: CommandLine, dataDir: string): Promise<App> {
  const options = {
    dataDir,
    modelDirs: line.modelDirs,
    childHost: line.childHost,
    ...(line.native ? { native: line.native } : {}),
  };
  try {
    return await createApp(options);
  } catch (thrown) {
    // The window has the profile: work beside it, and leave start-up housekeeping to it.
    if (isCredenceError(thrown, "storage.profile-in-use")) return createApp({ ...options, profile: "share" });
    throw thrown;
  }
}

async function report(error: CredenceError, context: CommandContext, line: CommandLine): Promise<void> {
  if (context.json || context.lines) await context.print(JSON.stringify({ ok: false, error: error.toData() }));
  else line.stderr.write(`credence: ${error.message}\n`);
}

function makeContext(
  line: CommandLine,
  args: readonly string[],
  options: CommandContext["options"],
  output: { json: boolean; lines: boolean },
  app: () => Promise<App>,
): CommandContext {
  const quiet = output.json || output.lines;
  const dataDirOption = options["data-dir"];

  async function write(text: string): Promise<void> {
    if (!line.stdout.write(text)) await new Promise<void>((done) => line.stdout.once("drain", done));
  }

  async function* inputs(): AsyncGenerator<string> {
    if (args.length > 0 && !(args.length === 1 && args[0] === "-")) {
      yield* args;
      return;
    }
    for await (const text of createInterface({ input: line.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text.trim() !== "") yield text;
    }
  }

  return {
    args,
    options,
    ...output,
    dataDir: profileFolder(typeof dataDirOption === "string" ? dataDirOption : undefined, line.env),
    modelDirs: line.modelDirs,
    childHost: line.childHost,
    native: line.native ?? {},
    clock: systemClock,
    signal: line.signal,
    app,
    write,
    print: (text) => write(`${text}\n`),
    remark(text) {
      if (!quiet) line.stderr.write(`${text}\n`);
    },
    inputs,
    async text() {
      if (args.length > 0 && !(args.length === 1 && args[0] === "-")) return args.join(" ");
      let whole = "";
      line.stdin.setEncoding("utf8");
      for await (const chunk of line.stdin) whole += chunk;
      return whole.trim();
    },
  };
}
