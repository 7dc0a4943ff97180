/**
 * Fetching through the machine's own package clients, so that their settings (mirrors, proxies, certificates) count.
 * Nothing of a fetched package is run.
 */
import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export type Outcome =
  | { readonly kind: "ok" }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly detail: string };

/** Runs a command in `folder`; `onBytes` hears every half second how much has arrived below it. */
export type Run = (
  command: Command,
  folder: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
) => Promise<Outcome>;

/** Ways to let pip (or uv's pip) leave one wheel in the current folder, the likeliest first. */
export function wheelCommands(name: string, version: string, windows: boolean): Command[] {
  const download = [
    "download",
    "--no-deps",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
    "--dest",
    ".",
    `${name}==${version}`,
  ];
  const commands: Command[] = [
    { file: "python3", args: ["-m", "pip", ...download] },
    { file: "pip", args: download },
    { file: "pip3", args: download },
    { file: "uv", args: ["tool", "run", "pip", ...download] },
    { file: "python", args: ["-m", "pip", ...download] },
  ];
  return windows ? [{ file: "py", args: ["-3", "-m", "pip", ...download] }, ...commands] : commands;
}

/** Ways to let npm leave one tarball in the current folder. */
export function tarballCommands(
  name: string,
  version: string,
  environment: NodeJS.ProcessEnv,
  node: string,
): Command[] {
  const pack = ["pack", "--silent", "--ignore-scripts", `${name}@${version}`];
  const inherited = environment["npm_execpath"];
  return [
    ...(inherited?.endsWith(".js") ? [{ file: node, args: [inherited, ...pack] }] : []),
    { file: "npm", args: pack },
  ];
}

/** Starts the command for real. A command that is not installed, or a Python without pip, is `missing`. */
export const runCommand: Run = (command, folder, onBytes, signal) =>
  new Promise((resolve) => {
    const windows = process.platform === "win32";
    const child = spawn(command.file, [...command.args], {
      cwd: folder,
      signal,
      // npm is a script on Windows, which only a shell starts; all arguments are ours and hold no blanks.
      shell: windows && command.file === "npm",
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder, PYTHONDONTWRITEBYTECODE: "1" },
    });
    let words = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-4000);
    });
    const timer = setInterval(() => void folderBytes(folder).then(onBytes, () => {}), 500);
    let settled = false;
    const settle = (outcome: Outcome): void => {
      if (settled) return;
      settled = true;
      clearInterval(timer);
      resolve(outcome);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle(error.code === "ENOENT" ? { kind: "missing" } : { kind: "failed", detail: error.message });
    });
    child.on("close", (code) => {
      if (code === 0) settle({ kind: "ok" });
      else if (/No module named '?pip|is not recognized|command not found/.test(words)) settle({ kind: "missing" });
      else settle({ kind: "failed", detail: lastWords(words) || `${command.file} ended with ${code}` });
    });
  });

/** The last line that says anything, for a one-sentence error. */
function lastWords(output: string): string {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  const errors = lines.filter((line) => /^(npm (error|ERR!)|ERROR)/i.test(line) && !/log of this run/.test(line));
  return (errors[0] ?? lines.filter(Boolean).at(-1) ?? "").replace(/^(npm (error|ERR!)|ERROR):?\s*/i, "").slice(0, 200);
}

async function folderBytes(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return sum;
}
