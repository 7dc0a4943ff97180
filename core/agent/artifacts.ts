import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnId } from "../contract/index.ts";
import { CredenceError } from "../contract/index.ts";
import type { Log } from "../platform/index.ts";

/** The large things of a turn, kept whole for its inspector: exact prompts and raw tool output. */
export interface Artifacts {
  /** Keeps `text` and gives its id at once; writing goes on behind. Null when it could not be kept. */
  keep(turnId: TurnId, name: string, text: string, options: { ephemeral: boolean }): string;
  /** A page of at most `PAGE_CHARS` characters from `offset`. Throws `general.not-found` for what is gone. */
  read(
    turnId: TurnId,
    artifactId: string,
    offset: number,
  ): Promise<{ text: string; totalChars: number; nextOffset: number | null }>;
  forget(turnIds: readonly TurnId[]): Promise<void>;
  /** Resolves when everything kept so far is on disk. */
  settled(): Promise<void>;
}

export const PAGE_CHARS = 64_000;
const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
/** Ephemeral turns leave nothing on disk: the newest few of their artifacts live in memory, cut to this many characters in all. */
const EPHEMERAL_CHARS = 8_000_000;

/**
 * Files are UTF-16, two bytes a character, so that any page of a file of any size is one positioned read. Above
 * `maxBytes` the turns that are oldest by their id (ids sort by time) go first.
 */
export function createArtifacts(deps: { folder: string; log: Log; maxBytes?: number }): Artifacts {
  const maxBytes = deps.maxBytes ?? DEFAULT_MAX_BYTES;
  const memory = new Map<string, string>();
  const counters = new Map<TurnId, number>();
  let writing: Promise<void> = Promise.resolve();
  let bytes: number | null = null;

  const fileOf = (turnId: TurnId, artifactId: string) => join(deps.folder, safe(turnId), `${safe(artifactId)}.utf16`);

  async function write(turnId: TurnId, artifactId: string, text: string): Promise<void> {
    try {
      await mkdir(join(deps.folder, safe(turnId)), { recursive: true });
      await writeFile(fileOf(turnId, artifactId), text, "utf16le");
      bytes = (bytes ?? (await sizeOf(deps.folder))) + text.length * 2;
      if (bytes > maxBytes) bytes = await trim(deps.folder, turnId, maxBytes);
    } catch (error) {
      deps.log.warn("artifact.not-kept", { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    keep(turnId, name, text, { ephemeral }) {
      const n = (counters.get(turnId) ?? 0) + 1;
      counters.set(turnId, n);
      if (counters.size > 64) counters.delete(counters.keys().next().value as TurnId);
      const artifactId = `${String(n).padStart(3, "0")}-${safe(name)}`;
      if (ephemeral) {
        memory.set(`${turnId}/${artifactId}`, text.slice(0, EPHEMERAL_CHARS));
        let chars = [...memory.values()].reduce((sum, kept) => sum + kept.length, 0);
        for (const [key, kept] of memory) {
          if (chars <= EPHEMERAL_CHARS) break;
          memory.delete(key);
          chars -= kept.length;
        }
      } else {
        writing = writing.then(() => write(turnId, artifactId, text));
      }
      return artifactId;
    },
    async read(turnId, artifactId, offset) {
      const inMemory = memory.get(`${turnId}/${artifactId}`);
      if (inMemory !== undefined) return page(inMemory.slice(offset, offset + PAGE_CHARS), inMemory.length, offset);
      await writing;
      const path = fileOf(turnId, artifactId);
      const size = await stat(path).then(
        (found) => found.size,
        () => null,
      );
      if (size === null) throw new CredenceError("general.not-found", { what: "kept output", id: artifactId });
      return page(await readUtf16(path, offset), Math.floor(size / 2), offset);
    },
    async forget(turnIds) {
      await writing;
      for (const turnId of turnIds) {
        for (const key of memory.keys()) if (key.startsWith(`${turnId}/`)) memory.delete(key);
        await rm(join(deps.folder, safe(turnId)), { recursive: true, force: true });
      }
      bytes = null;
    },
    settled: () => writing,
  };
}

function page(text: string, totalChars: number, offset: number) {
  const next = offset + text.length;
  return { text, totalChars, nextOffset: next < totalChars && text.length > 0 ? next : null };
}

async function readUtf16(path: string, offset: number): Promise<string> {
  const stream = createReadStream(path, { start: offset * 2, end: (offset + PAGE_CHARS) * 2 - 1 });
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf16le");
}

async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for (const turn of await readdir(folder)) total += await folderSize(join(folder, turn));
  return total;
}

async function folderSize(folder: string): Promise<number> {
  let total = 0;
  for (const file of await readdir(folder).catch(() => [])) {
    const handle = await open(join(folder, file)).catch(() => null);
    if (!handle) continue;
    total += (await handle.stat()).size;
    await handle.close();
  }
  return total;
}

async function trim(folder: string, keep: TurnId, maxBytes: number): Promise<number> {
  const turns = (await readdir(folder)).sort();
  const sizes = new Map<string, number>();
  for (const turn of turns) sizes.set(turn, await folderSize(join(folder, turn)));
  let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const turn of turns) {
    if (total <= maxBytes * 0.9) break;
    if (turn === safe(keep)) continue;
    await rm(join(folder, turn), { recursive: true, force: true });
    total -= sizes.get(turn) ?? 0;
  }
  return total;
}

/** Ids come back from the window: nothing in them may leave the folder. */
function safe(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80);
}
