import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationId, TurnId } from "../contract/index.ts";
import { CredenceError } from "../contract/index.ts";
import type { Log } from "../platform/index.ts";

export interface TurnPlace {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
}

/** The large things of a turn, kept whole for its inspector: exact prompts and raw tool output. */
export interface Artifacts {
  /** Keeps `text` and gives its id at once; writing goes on behind. */
  keep(turn: TurnPlace, name: string, text: string, options: { ephemeral: boolean }): string;
  /** A page of at most `PAGE_CHARS` characters from `offset`. Throws `general.not-found` for what is gone. */
  read(
    turn: TurnPlace,
    artifactId: string,
    offset: number,
  ): Promise<{ text: string; totalChars: number; nextOffset: number | null }>;
  /** Removes everything that turns of a conversation kept. */
  forget(conversationId: ConversationId): Promise<void>;
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

  const folderOf = (turn: TurnPlace) => join(deps.folder, safe(turn.conversationId), safe(turn.turnId));
  const fileOf = (turn: TurnPlace, artifactId: string) => join(folderOf(turn), `${safe(artifactId)}.utf16`);
  const keyOf = (turn: TurnPlace, artifactId: string) => `${turn.conversationId}/${turn.turnId}/${artifactId}`;

  async function write(turn: TurnPlace, artifactId: string, text: string): Promise<void> {
    try {
      await mkdir(folderOf(turn), { recursive: true });
      await writeFile(fileOf(turn, artifactId), text, "utf16le");
      bytes = bytes === null ? total(await turnFolders(deps.folder)) : bytes + text.length * 2;
      if (bytes > maxBytes) bytes = await trim(deps.folder, folderOf(turn), maxBytes);
    } catch (error) {
      deps.log.warn("artifact.not-kept", { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    keep(turn, name, text, { ephemeral }) {
      const n = (counters.get(turn.turnId) ?? 0) + 1;
      counters.set(turn.turnId, n);
      if (counters.size > 64) counters.delete(counters.keys().next().value as TurnId);
      const artifactId = `${String(n).padStart(3, "0")}-${safe(name)}`;
      if (ephemeral) {
        memory.set(keyOf(turn, artifactId), text.slice(0, EPHEMERAL_CHARS));
        let chars = [...memory.values()].reduce((sum, kept) => sum + kept.length, 0);
        for (const [key, kept] of memory) {
          if (chars <= EPHEMERAL_CHARS) break;
          memory.delete(key);
          chars -= kept.length;
        }
      } else {
        writing = writing.then(() => write(turn, artifactId, text));
      }
      return artifactId;
    },
    async read(turn, artifactId, offset) {
      const inMemory = memory.get(keyOf(turn, artifactId));
      if (inMemory !== undefined) return page(inMemory.slice(offset, offset + PAGE_CHARS), inMemory.length, offset);
      await writing;
      const path = fileOf(turn, artifactId);
      const size = await stat(path).then(
        (found) => found.size,
        () => null,
      );
      if (size === null) throw new CredenceError("general.not-found", { what: "kept output", id: artifactId });
      return page(await readUtf16(path, offset), Math.floor(size / 2), offset);
    },
    async forget(conversationId) {
      await writing;
      for (const key of memory.keys()) if (key.startsWith(`${conversationId}/`)) memory.delete(key);
      await rm(join(deps.folder, safe(conversationId)), { recursive: true, force: true });
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

interface TurnFolder {
  readonly path: string;
  /** A turn's id: ids sort by time. */
  readonly name: string;
  readonly bytes: number;
}

async function turnFolders(root: string): Promise<TurnFolder[]> {
  const folders: TurnFolder[] = [];
  for (const conversation of await readdir(root)) {
    for (const name of await readdir(join(root, conversation)).catch(() => [])) {
      const path = join(root, conversation, name);
      let bytes = 0;
      for (const file of await readdir(path).catch(() => [])) {
        bytes += await stat(join(path, file)).then(
          (found) => found.size,
          () => 0,
        );
      }
      folders.push({ path, name, bytes });
    }
  }
  return folders.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function total(folders: readonly TurnFolder[]): number {
  return folders.reduce((sum, folder) => sum + folder.bytes, 0);
}

/** Removes the oldest turns, the present one apart, until a tenth of the room is free again. Gives the bytes left. */
async function trim(root: string, keep: string, maxBytes: number): Promise<number> {
  const folders = await turnFolders(root);
  let left = total(folders);
  for (const folder of folders) {
    if (left <= maxBytes * 0.9) break;
    if (folder.path === keep) continue;
    await rm(folder.path, { recursive: true, force: true });
    left -= folder.bytes;
  }
  return left;
}

/** Ids come back from the window: nothing in them may leave the folder. */
function safe(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 80);
}
