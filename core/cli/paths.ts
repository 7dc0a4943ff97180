import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildKind } from "../platform/index.ts";

export interface InstalledPaths {
  /** The program of each helper process. */
  readonly entries: Readonly<Record<ChildKind, string>>;
  /** Where models shipped with Credence or fetched at the first start may lie, in order. */
  readonly modelDirs: readonly string[];
}

/** Finds Credence's own files, for the built program (`dist/`) and for the sources that Node runs directly. */
export function installedPaths(
  here: string = dirname(fileURLToPath(import.meta.url)),
  env = process.env,
): InstalledPaths {
  const built = existsSync(join(here, "engine.js"));
  const root = built ? dirname(here) : join(here, "..", "..");
  const entries = built
    ? { engine: join(here, "engine.js"), parser: join(here, "parser.js") }
    : { engine: join(root, "core/models/engine/main.ts"), parser: join(root, "core/parsing/process/main.ts") };
  const given = env["CREDENCE_MODELS_DIR"];
  return { entries, modelDirs: [join(root, "models", "weights"), ...(given ? [given] : [])] };
}
