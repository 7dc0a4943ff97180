/**
 * Packs the app for the desktop tests: the same archive, fuses and files as a release, on the Electron that can be had
 * here. Differs from a release only in what driving it needs: inspection stays on.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { withLock } from "./lock.ts";
import { pack } from "./pack.ts";
import { releaseDir, root } from "./paths.ts";
import { developmentRuntime, type Runtime } from "./runtime.ts";

export interface DesktopBuild {
  readonly executable: string;
  readonly resources: string;
  /** Whether it was packed with the Electron that releases use. */
  readonly official: boolean;
  readonly electron: string;
}

const folder = join(releaseDir, "desktop-test");
/** Packs of older builds are kept this long: another run may still be driving one. */
const keepMs = 30 * 60 * 1000;

/** Builds and packs, unless a pack of this very build is there. Each build has a folder of its own, moved in whole. */
export async function packForTests(say: (line: string) => void = () => {}): Promise<DesktopBuild> {
  const runtime = await withLock("runtime", () => developmentRuntime(say));
  await build({ onlyIfStale: true, say });
  return withLock("pack", () => packUnlessThere(runtime, say));
}

async function packUnlessThere(runtime: Runtime, say: (line: string) => void): Promise<DesktopBuild> {
  const inputs = createHash("sha256").update(runtime.version);
  for (const file of ["dist/build-stamp.txt", "electron-builder.yml", "electron/build/desktop-test.ts"])
    inputs.update(readFileSync(join(root, file)));
  const own = join(folder, inputs.digest("hex").slice(0, 16));
  const made: DesktopBuild = {
    executable: join(own, "credence"),
    resources: join(own, "resources"),
    official: runtime.official,
    electron: runtime.version,
  };
  if (existsSync(made.executable)) return made;

  say("Packing the app for the desktop tests.");
  removeOld();
  const work = join(folder, `work-${process.pid}`);
  try {
    await packInto(work, runtime);
    renameSync(join(work, "linux-unpacked"), own);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return made;
}

function removeOld(): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > keepMs) rmSync(path, { recursive: true, force: true });
  }
}

async function packInto(output: string, runtime: Runtime): Promise<void> {
  await pack(runtime, {
    dir: true,
    overrides: {
      directories: { output },
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
}

if (import.meta.main) console.log(JSON.stringify(await packForTests((line) => console.error(line)), null, 2));
