/**
 * Evaluated conversations on disk, so that coming back to one costs a read instead of an evaluation. A state is a native
 * file and a description beside it; it counts only when the weights, the settings and its own bytes are exactly those of
 * then. Anything else costs time and nothing more.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const Description = z.object({
  version: z.literal(1),
  fingerprint: z.string(),
  tokens: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});

const leftoverAfterMs = 10 * 60_000;

export interface FoundState {
  readonly path: string;
  readonly tokens: number[];
  /** Checks the bytes; false when damaged (the state is removed then). */
  verify(): Promise<boolean>;
}

export class StateFiles {
  readonly #folder: string;
  /** Names weights, window-independent settings and the engine's version: a state of another one would be nonsense or worse. */
  readonly #fingerprint: string;
  readonly #limitBytes: number;
  #prepared: Promise<void> | null = null;

  constructor(folder: string, fingerprint: string, limitBytes: number) {
    this.#folder = folder;
    this.#fingerprint = fingerprint;
    this.#limitBytes = limitBytes;
  }

  /** Writes a state by `save` (which gets a path) and keeps the folder within its limit, oldest out first. */
  async write(key: string, tokens: readonly number[], save: (path: string) => Promise<void>): Promise<number> {
    await this.#prepare();
    const path = this.#path(key);
    const partial = `${path}.partial`;
    try {
      await save(partial);
      const bytes = (await stat(partial)).size;
      if (bytes > this.#limitBytes) return 0;
      const description: z.infer<typeof Description> = {
        version: 1,
        fingerprint: this.#fingerprint,
        tokens: Buffer.from(Uint32Array.from(tokens).buffer).toString("base64"),
        bytes,
        sha256: await sha256(partial),
      };
      await rm(`${path}.json`, { force: true });
      await rename(partial, path);
      await writeFile(`${path}.json.partial`, JSON.stringify(description));
      await rename(`${path}.json.partial`, `${path}.json`);
      await this.#prune(path);
      return bytes;
    } finally {
      await rm(partial, { force: true });
    }
  }

  async find(key: string): Promise<FoundState | null> {
    await this.#prepare();
    const path = this.#path(key);
    const text = await readFile(`${path}.json`, "utf8").catch(() => null);
    if (text === null) return null;
    const parsed = Description.safeParse(parseJson(text));
    const size = (await stat(path).catch(() => null))?.size;
    if (!parsed.success || parsed.data.fingerprint !== this.#fingerprint || size !== parsed.data.bytes) {
      await this.remove(key);
      return null;
    }
    const raw = Buffer.from(parsed.data.tokens, "base64");
    const tokens = Array.from({ length: Math.floor(raw.length / 4) }, (_, i) => raw.readUInt32LE(i * 4));
    return {
      path,
      tokens,
      verify: async () => {
        if ((await sha256(path).catch(() => "")) === parsed.data.sha256) return true;
        await this.remove(key);
        return false;
      },
    };
  }

  /**
   * Loads a verified state by `load`. While it is being loaded the description is out of the way, so that a state that brings
   * the process down is not tried a second time.
   */
  async load(key: string, state: FoundState, load: (path: string) => Promise<void>): Promise<boolean> {
    const description = `${this.#path(key)}.json`;
    const aside = `${description}.loading`;
    try {
      await rename(description, aside);
      await load(state.path);
      await rename(aside, description);
      const now = new Date();
      await utimes(state.path, now, now).catch(() => {});
      return true;
    } catch {
      await rm(aside, { force: true });
      await this.remove(key);
      return false;
    }
  }

  async remove(key: string): Promise<void> {
    await removeState(this.#folder, key);
  }

  #path(key: string): string {
    return pathOf(this.#folder, key);
  }

  /** Once per process: makes the folder and clears away what an earlier process left unfinished. */
  #prepare(): Promise<void> {
    this.#prepared ??= (async () => {
      await mkdir(this.#folder, { recursive: true });
      const names = await readdir(this.#folder);
      const old = async (name: string): Promise<boolean> => {
        const info = await stat(join(this.#folder, name)).catch(() => null);
        return info !== null && Date.now() - info.mtimeMs > leftoverAfterMs;
      };
      const leftovers = names.filter(
        (name) => /\.(partial|loading)$/.test(name) || (name.endsWith(".state") && !names.includes(`${name}.json`)),
      );
      // Another Credence on the same profile may be at work here; what is older than any saving takes is nobody's.
      for (const name of leftovers) if (await old(name)) await rm(join(this.#folder, name), { force: true });
    })();
    return this.#prepared;
  }

  async #prune(keep: string): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".state"));
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const info = await stat(path).catch(() => null);
        return { path, bytes: info?.size ?? 0, at: path === keep ? Number.POSITIVE_INFINITY : (info?.mtimeMs ?? 0) };
      }),
    );
    found.sort((a, b) => b.at - a.at);
    let sum = 0;
    for (const { path, bytes } of found) {
      sum += bytes;
      if (sum > this.#limitBytes) await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
    }
  }
}

function pathOf(folder: string, key: string): string {
  return join(folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.state`);
}

/** Removes a state where there is one, whatever model it is of; no engine is needed for that. */
export async function removeState(folder: string, key: string): Promise<void> {
  const path = pathOf(folder, key);
  await Promise.all(["", ".json", ".partial", ".json.loading"].map((end) => rm(`${path}${end}`, { force: true })));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
