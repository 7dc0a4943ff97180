import type { Dir, Dirent } from "node:fs";
import { opendir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CredenceError } from "../contract/index.ts";

export interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface WalkReport {
  /** Files in folders that are no documents. */
  skipped: number;
  /** Folders that could not be entered. */
  closed: string[];
}

/** What people keep in folders that is never text. A file named by hand is tried whatever it is called. */
const notDocuments =
  /\.(?:png|jpe?g|gif|bmp|tiff?|webp|heic|ico|svgz|psd|raw|cr2|nef|mp[34]|m4[av]|mov|avi|mkv|webm|wav|flac|ogg|opus|aac|wma|exe|dll|so|dylib|bin|o|a|lib|class|jar|pyc|wasm|msi|dmg|iso|img|deb|rpm|apk|ttf|otf|woff2?|eot|gz|bz2|xz|zst|7z|rar|tar|tgz|db|sqlite3?|gguf|safetensors|onnx|pt|lock|tmp|swp|part|crdownload|ds_store)$/i;
const notFolders = new Set([
  "node_modules",
  "__pycache__",
  "$RECYCLE.BIN",
  "System Volume Information",
  "Library",
  "target",
  "dist",
]);

/** Whether a file met in a folder is worth reading. */
export function isCandidate(name: string): boolean {
  return (
    !name.startsWith(".") &&
    !name.startsWith("~$") &&
    !notDocuments.test(name) &&
    name !== "Thumbs.db" &&
    name !== "desktop.ini"
  );
}

export function isOpenFolder(name: string): boolean {
  return !name.startsWith(".") && !notFolders.has(name);
}

/** Files at `paths` and in the folders there, depth first; links are followed, rings are not. Aborts between entries. */
export async function* walk(
  paths: readonly string[],
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<FoundFile> {
  const seen = new Set<string>();
  for (const given of paths) {
    const path = resolve(given);
    const found = await stat(path).catch((thrown: unknown) => {
      throw new CredenceError(
        "documents.not-readable",
        { path, reason: (thrown as { code?: string }).code === "EACCES" ? "forbidden" : "missing" },
        { cause: thrown },
      );
    });
    if (found.isDirectory()) yield* walkFolder(path, seen, report, signal, 0);
    else if (found.isFile())
      yield { path, name: basename(path), bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
    else throw new CredenceError("documents.not-readable", { path, reason: "not-a-file" });
  }
}

async function* walkFolder(
  folder: string,
  seen: Set<string>,
  report: WalkReport,
  signal: AbortSignal,
  depth: number,
): AsyncGenerator<FoundFile> {
  let directory: Dir;
  try {
    const real = await realpath(folder);
    if (seen.has(real) || depth > 64) return;
    seen.add(real);
    directory = await opendir(folder);
  } catch {
    report.closed.push(folder);
    return;
  }
  const folders: string[] = [];
  for await (const entry of directory) {
    signal.throwIfAborted();
    const path = join(folder, entry.name);
    const kind = await kindOf(entry, path);
    if (kind === "folder") {
      if (isOpenFolder(entry.name)) folders.push(path);
    } else if (kind === "file") {
      if (!isCandidate(entry.name)) report.skipped++;
      else {
        const found = await stat(path).catch(() => null);
        if (found?.isFile()) yield { path, name: entry.name, bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
      }
    }
  }
  for (const path of folders.sort()) yield* walkFolder(path, seen, report, signal, depth + 1);
}

async function kindOf(entry: Dirent, path: string): Promise<"file" | "folder" | "other"> {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return "other";
  const target = await stat(path).catch(() => null);
  return target?.isDirectory() ? "folder" : target?.isFile() ? "file" : "other";
}
