import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build as bundle } from "esbuild";
import { build as buildWindow } from "vite";
import { withLock } from "./lock.ts";
import { cacheDir, distDir, root } from "./paths.ts";

/** The oldest runtime that the bundles must run on: Node 20 and Chrome 130, of the development stand-in. */
const nodeTarget = "node20";

interface Entry {
  readonly source: string;
  readonly output: string;
  /** `esm` for Node processes; `preload` for the sandboxed script, which must be one CommonJS file. */
  readonly kind: "esm" | "preload";
}

export const entries: readonly Entry[] = [
  { source: "electron/main.ts", output: "main.js", kind: "esm" },
  { source: "electron/preload.ts", output: "preload.cjs", kind: "preload" },
  { source: "core/models/engine/main.ts", output: "engine.js", kind: "esm" },
  { source: "core/parsing/process/main.ts", output: "parser.js", kind: "esm" },
  // A worker thread of the main process: searches beside the one writer.
  { source: "core/memory/index/reader-thread.ts", output: "memory-reader.js", kind: "esm" },
  { source: "core/cli/main.ts", output: "credence.js", kind: "esm" },
];

/** What is loaded from node_modules at run time: native addons, WebAssembly and data files. All else is bundled. */
function runtimePackages(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(manifest.dependencies);
}

/** CommonJS packages inside an ES module bundle still call `require` for Node's own modules. */
const commonJsBanner = [
  'import { createRequire as __credenceRequire } from "node:module";',
  'import { fileURLToPath as __credencePath } from "node:url";',
  'import { dirname as __credenceDirname } from "node:path";',
  "const require = __credenceRequire(import.meta.url);",
  "const __filename = __credencePath(import.meta.url);",
  "const __dirname = __credenceDirname(__filename);",
].join("\n");

function optionsFor(entry: Entry, outdir: string): BuildOptions {
  const shared: BuildOptions = {
    absWorkingDir: root,
    entryPoints: [entry.source],
    bundle: true,
    platform: "node",
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "silent",
    loader: { ".txt": "text", ".md": "text", ".sql": "text" },
    define: { "process.env.NODE_ENV": '"production"' },
  };
  if (entry.kind === "preload") {
    return {
      ...shared,
      format: "cjs",
      target: "chrome130",
      external: ["electron"],
      outfile: join(outdir, entry.output),
    };
  }
  const external = ["electron", ...runtimePackages().flatMap((name) => [name, `${name}/*`])];
  return {
    ...shared,
    // Split, so that what is imported on demand (the core, once the window is on its way) is a file of its own.
    entryPoints: { [entry.output.replace(/\.js$/, "")]: entry.source },
    outdir,
    splitting: true,
    chunkNames: `${entry.output.replace(/\.js$/, "")}-[name]-[hash]`,
    format: "esm",
    target: nodeTarget,
    external,
    banner: { js: entry.output === "credence.js" ? `#!/usr/bin/env node\n${commonJsBanner}` : commonJsBanner },
  };
}

/** Fingerprint of everything that goes into the build: path, size and time of every source file. */
function sourceFingerprint(): string {
  const hash = createHash("sha256");
  const visit = (path: string): void => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    const stat = statSync(full);
    if (stat.isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(join(path, name));
    } else hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const path of ["core", "electron", "renderer", "package.json", "package-lock.json", "vite.config.ts"])
    visit(path);
  return hash.digest("hex");
}

const stampName = "build-stamp.txt";

async function buildWindowInto(outDir: string): Promise<void> {
  await buildWindow({ configFile: join(root, "vite.config.ts"), logLevel: "warn", build: { outDir } });
}

/** Builds everything into `dist/`. With `onlyIfStale`, does nothing when no source changed since the last build. */
export async function build(options: { onlyIfStale?: boolean; say?: (line: string) => void } = {}): Promise<void> {
  await withLock("build", async () => {
    const fingerprint = sourceFingerprint();
    const stamp = join(distDir, stampName);
    if (options.onlyIfStale && existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
    options.say?.("Building.");
    // Built beside and moved in whole: an app that starts meanwhile finds the old build or the new one, never half of one.
    const work = join(cacheDir, "build");
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    await Promise.all([
      ...entries.map((entry) => bundle(optionsFor(entry, work))),
      buildWindowInto(join(work, "renderer")),
    ]);
    writeFileSync(join(work, stampName), fingerprint);
    rmSync(distDir, { recursive: true, force: true });
    renameSync(work, distDir);
  });
}

if (import.meta.main) {
  const started = performance.now();
  await build({ say: console.log });
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
