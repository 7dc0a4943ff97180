import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** A tracked (or not yet committed, not ignored) file with its path from the project's top, in forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** As written: "node:fs", "zod", "../storage/index.ts". */
  readonly specifier: string;
  /** For imports of our own files: the path from the project's top. */
  readonly target: string | null;
  /** What stands between `import` and `from`. */
  readonly names: string;
  readonly line: number;
}

/** One broken rule: where, what, and what to do instead. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly remedy: string;
}

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Every text file under version control or about to be. */
export function projectFiles(root: string = projectRoot): SourceFile[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const files: SourceFile[] = [];
  for (const path of new Set(listed.toString("utf8").split("\0"))) {
    const full = join(root, path);
    if (path === "" || !existsSync(full) || !statSync(full).isFile() || statSync(full).size > 2_000_000) continue;
    const bytes = readFileSync(full);
    if (!bytes.subarray(0, 8000).includes(0)) files.push({ path, text: bytes.toString("utf8") });
  }
  return files;
}

export const isCode = (path: string): boolean => /\.(ts|tsx|mts|cts)$/.test(path);

/** The text with comments, and nothing else, replaced by spaces: strings and line numbers stay. */
export function withoutComments(text: string): string {
  return text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)|\/\*[\s\S]*?\*\/|(^|[^:\\])\/\/[^\n]*/g,
    (whole, string: string | undefined, before: string | undefined) =>
      string ?? (before ?? "") + whole.slice((before ?? "").length).replace(/[^\n]/g, " "),
  );
}

const statement = /(?:^|[;}\n])[ \t]*(?:import|export)\s+((?:type\s+)?[\w*\s{},$]*?)\s*from\s*["']([^"']+)["']/g;
const bare = /(?:^|[;}\n])[ \t]*(import)\s*["']([^"']+)["']/g;
const called = /\b(import|require|createRequire\([^)]*\))\(\s*["']([^"']+)["']/g;

/** All imports of a file: static, re-exports, for side effects, dynamic, `require`. */
export function importsOf(file: SourceFile): Import[] {
  const text = withoutComments(file.text);
  const found: Import[] = [];
  for (const pattern of [statement, bare, called]) {
    for (const match of text.matchAll(pattern)) {
      const specifier = match[2]!;
      const target = specifier.startsWith(".")
        ? posix.normalize(posix.join(posix.dirname(file.path), specifier))
        : null;
      found.push({ specifier, target, names: match[1]!, line: lineAt(text, match.index + match[0].length) });
    }
  }
  return found;
}

/** The number of the line that holds the character before `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
