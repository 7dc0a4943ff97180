/**
 * Finds the models in the folders of models that come with Credence. Their hashes were checked when they were fetched; the
 * manifest `starter.json` that the fetcher leaves beside them gives their names and licences.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const Manifest = z.object({
  models: z.array(z.object({ name: z.string(), file: z.string(), bytes: z.number(), licence: z.string() })),
});

export interface FoundStarter {
  readonly path: string;
  /** Null where the manifest does not know the file: the file speaks for itself then. */
  readonly name: string | null;
  readonly licence: string | null;
}

/** Each whole model file, the first copy of a name only, in the manifest's order. */
export async function findStarters(folders: readonly string[]): Promise<FoundStarter[]> {
  const found = new Map<string, FoundStarter & { order: number }>();
  for (const folder of folders) {
    const files = (await readdir(folder).catch(() => [])).filter((name) => name.toLowerCase().endsWith(".gguf")).sort();
    const known = await readManifest(folder);
    for (const file of files) {
      if (found.has(file)) continue;
      const path = join(folder, file);
      const info = await stat(path).catch(() => null);
      const order = known.findIndex((entry) => entry.file === file);
      const entry = known[order];
      if (!info?.isFile() || (entry && info.size !== entry.bytes)) continue;
      found.set(file, {
        path,
        name: entry?.name ?? null,
        licence: entry?.licence ?? null,
        order: order < 0 ? known.length : order,
      });
    }
  }
  return [...found.values()]
    .sort((a, b) => a.order - b.order)
    .map(({ path, name, licence }) => ({ path, name, licence }));
}

async function readManifest(folder: string): Promise<z.infer<typeof Manifest>["models"]> {
  try {
    const parsed = Manifest.safeParse(JSON.parse(await readFile(join(folder, "starter.json"), "utf8")));
    return parsed.success ? parsed.data.models : [];
  } catch {
    return [];
  }
}
