import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** What is fetched or compiled once and reused; safe to delete. */
export const cacheDir = join(root, ".cache");
export const distDir = join(root, "dist");
export const releaseDir = join(root, "release");

/** A path inside node_modules. */
export const modulePath = (...parts: string[]): string => join(root, "node_modules", ...parts);
