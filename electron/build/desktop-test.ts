/**
 * Packs the app for the desktop tests: the same archive, fuses and files as a release, on the Electron that can be had
 * here. Differs from a release only in what driving it needs: inspection stays on.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { pack } from "./pack.ts";
import { releaseDir, root } from "./paths.ts";
import { developmentRuntime } from "./runtime.ts";

export interface DesktopBuild {
  readonly executable: string;
  readonly resources: string;
  /** Whether it was packed with the Electron that releases use. */
  readonly official: boolean;
  readonly electron: string;
}

const folder = join(releaseDir, "desktop-test");

/** Builds and packs, unless the pack is of this very build. */
export async function packForTests(say: (line: string) => void = () => {}): Promise<DesktopBuild> {
  const runtime = await developmentRuntime(say);
  await build({ onlyIfStale: true, say });
  const unpacked = join(folder, "linux-unpacked");
  const made: DesktopBuild = {
    executable: join(unpacked, "credence"),
    resources: join(unpacked, "resources"),
    official: runtime.official,
    electron: runtime.version,
  };
  const stamp = join(folder, "packed-from.txt");
  const inputs = createHash("sha256").update(runtime.version);
  for (const file of ["dist/build-stamp.txt", "electron-builder.yml", "electron/build/desktop-test.ts"])
    inputs.update(readFileSync(join(root, file)));
  const key = inputs.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return made;

  say("Packing the app for the desktop tests.");
  rmSync(folder, { recursive: true, force: true });
  await pack(runtime, {
    dir: true,
    overrides: {
      directories: { output: folder },
      compression: "store",
      electronFuses: {
        runAsNode: false,
        enableCookieEncryption: true,
        enableNodeOptionsEnvironmentVariable: false,
        enableNodeCliInspectArguments: true,
        enableEmbeddedAsarIntegrityValidation: true,
        onlyLoadAppFromAsar: true,
        loadBrowserProcessSpecificV8Snapshot: false,
        grantFileProtocolExtraPrivileges: false,
      },
      ...(runtime.sqliteAddon
        ? { extraResources: [{ from: runtime.sqliteAddon, to: "native/better_sqlite3.node" }] }
        : {}),
    },
  });
  writeFileSync(stamp, key);
  return made;
}

if (import.meta.main) console.log(JSON.stringify(await packForTests((line) => console.error(line)), null, 2));
