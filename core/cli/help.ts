import type { Command } from "./command.ts";

/** All commands, a line each. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => `${command.name} ${command.usage}`.length)) + 2;
  const rows = commands.map(
    (command) => `  ${`${command.name} ${command.usage}`.padEnd(Math.min(width, 46))} ${command.summary}`,
  );
  return [
    "Credence: a private companion on your own machine.",
    "",
    "Usage: credence COMMAND [OPTIONS]",
    "",
    ...rows,
    "",
    "Options of every command:",
    "  --data-dir DIR   the profile's folder (or the variable CREDENCE_HOME)",
    "  --json           one JSON document on standard output and nothing else",
    "  --lines          many inputs, one JSON document a line in the same order",
    "  --help           what the command takes",
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 some inputs failed, 130 stopped.",
  ].join("\n");
}

/** One command's usage and options. */
export function helpFor(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, option]) => `  --${name}${option.type === "string" ? ` ${name.toUpperCase()}` : ""}`,
  );
  return [
    `Usage: credence ${command.name} ${command.usage}`,
    "",
    command.summary,
    ...(options.length > 0 ? ["", "Options:", ...options] : []),
  ].join("\n");
}
