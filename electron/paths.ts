import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { app } from "electron";
import type { ChildKind } from "../core/platform/index.ts";
import type { NativePaths } from "../core/storage/index.ts";

/** The folder of the built program: `dist/` in development, inside the archive in a packaged app. */
export const programDir = dirname(fileURLToPath(import.meta.url));

export const preloadFile = join(programDir, "preload.cjs");
export const windowDir = join(programDir, "renderer");

export const childEntries: Readonly<Record<ChildKind, string>> = {
  engine: join(programDir, "engine.js"),
  parser: join(programDir, "parser.js"),
};

/** What lies in the archive but must be a real file (loaded by the system's linker) is unpacked beside it. */
export function unpacked(path: string): string {
  return path.replace(/([\\/])app\.asar([\\/])/, "$1app.asar.unpacked$2");
}

/** Models shipped with a release lie in its resources; in development, in the project. */
export function shippedModelDirs(env: NodeJS.ProcessEnv = process.env): string[] {
  const shipped = app.isPackaged ? join(process.resourcesPath, "models") : join(programDir, "..", "models", "weights");
  const given = env["CREDENCE_MODELS_DIR"];
  return given ? [shipped, given] : [shipped];
}

/**
 * Native parts. sqlite-vec is loaded by SQLite itself, so it needs its real path. better-sqlite3 finds its own addon,
 * except on the development runtime, which is too old for it and gets one compiled for it.
 */
export async function nativePaths(): Promise<NativePaths> {
  const { getLoadablePath } = await import("sqlite-vec");
  const bundled = join(process.resourcesPath, "native", "better_sqlite3.node");
  const compiled = app.isPackaged ? (existsSync(bundled) ? bundled : undefined) : process.env["CREDENCE_SQLITE_ADDON"];
  return { betterSqlite3: compiled, sqliteVec: unpacked(getLoadablePath()) };
}
