import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Configuration, build as packApp } from "electron-builder";
import { root } from "./paths.ts";
import type { Runtime } from "./runtime.ts";

/** Packs `dist/` into an app folder or installers with the given Electron. Answers with what was made. */
export async function pack(runtime: Runtime, options: { dir: boolean; overrides?: Configuration }): Promise<string[]> {
  const base: Configuration = {
    extends: join(root, "electron-builder.yml"),
    electronVersion: runtime.version,
    electronDist: runtime.dist,
    // The app that an empty Electron shows; an unpacked Electron brings it along.
    afterPack: async ({ appOutDir }) => rmSync(join(appOutDir, "resources", "default_app.asar"), { force: true }),
  };
  return packApp({
    projectDir: root,
    publish: "never",
    ...(options.dir ? { dir: true } : {}),
    config: { ...base, ...options.overrides },
  });
}
