import { accessSync, constants, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CredenceError } from "../contract/index.ts";
import type { Log } from "../platform/index.ts";
import { Connection, type NativePaths } from "./database.ts";
import { type Migration, migrate, schemaVersion } from "./migrate.ts";

const FILE = "credence.db";
const BACKUPS_KEPT = 5;

export interface Backup {
  readonly path: string;
  readonly createdAt: number;
  readonly bytes: number;
}

export interface OpenedStorage {
  readonly connection: Connection;
  /** Set when the file failed its check and was opened read-only, to protect what is left. */
  readonly rescue: { readonly reason: string; readonly backup: Backup | null } | null;
}

export interface OpenOptions {
  readonly dataDir: string;
  readonly migrations: readonly Migration[];
  readonly native?: NativePaths | undefined;
  readonly log: Log;
}

/**
 * Opens the profile's database: makes the folder, checks integrity, backs up before migrating, migrates.
 * A file that fails its check is opened read-only. Throws `storage.folder-not-writable`, `storage.disk-full` or
 * `storage.newer-version`; the file is untouched then.
 */
export async function openStorage(options: OpenOptions): Promise<OpenedStorage> {
  const { dataDir, migrations, native, log } = options;
  ensureWritableFolder(dataDir);
  const path = join(dataDir, FILE);
  let connection: Connection;
  try {
    connection = new Connection(path, { ...(native ? { native } : {}) });
  } catch (cause) {
    return rescue(options, path, cause);
  }
  try {
    const problem = checkIntegrity(connection);
    if (problem) {
      connection.close();
      return rescue(options, path, new IntegrityFailure(problem));
    }
    const from = schemaVersion(connection);
    const newest = migrations.at(-1)?.version ?? 0;
    if (from > 0 && from < newest) await backUp(connection, dataDir, `before-v${newest}`);
    migrate(connection, migrations, (migration, rows) =>
      log.info("migration", { version: migration.version, name: migration.name, rows }),
    );
    return { connection, rescue: null };
  } catch (thrown) {
    connection.close();
    if (isDamage(thrown)) return rescue(options, path, thrown);
    throw asStorageError(thrown, dataDir);
  }
}

/** Copies the live database into the profile's `backups` folder and keeps the newest few. */
export async function backUp(connection: Connection, dataDir: string, label: string): Promise<Backup> {
  const folder = join(dataDir, "backups");
  try {
    mkdirSync(folder, { recursive: true });
    const stamp = new Date().toISOString().replace(/[:.]/g, "-");
    const path = join(folder, `credence-${stamp}-${label}.db`);
    await connection.backup(path);
    for (const old of listBackups(dataDir).slice(BACKUPS_KEPT)) rmSync(old.path, { force: true });
    const stat = statSync(path);
    return { path, createdAt: stat.mtimeMs, bytes: stat.size };
  } catch (thrown) {
    throw asStorageError(thrown, dataDir);
  }
}

/** The profile's backups, newest first. */
export function listBackups(dataDir: string): Backup[] {
  const folder = join(dataDir, "backups");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith("credence-") && name.endsWith(".db"))
    .map((name) => {
      const path = join(folder, name);
      const stat = statSync(path);
      return { path, createdAt: stat.mtimeMs, bytes: stat.size };
    })
    .sort((a, b) => b.createdAt - a.createdAt);
}

/** What the check at start reports in words, told apart from every other error. */
class IntegrityFailure extends Error {}

/** Null when sound; else what SQLite says is wrong, in its words. `quick_check` reads every page but skips index contents. */
function checkIntegrity(connection: Connection): string | null {
  if (schemaVersion(connection) === 0) return null;
  const verdict = String(connection.pragma("quick_check(1)"));
  return verdict === "ok" ? null : verdict;
}

function rescue(options: OpenOptions, path: string, cause: unknown): OpenedStorage {
  const backup = listBackups(options.dataDir)[0] ?? null;
  const detail = cause instanceof Error ? cause.message : String(cause);
  options.log.error("storage.rescue", { detail });
  if (!isDamage(cause)) throw asStorageError(cause, options.dataDir);
  try {
    const connection = new Connection(path, { readonly: true, ...(options.native ? { native: options.native } : {}) });
    // A file so damaged that its own table list cannot be read is of no use even read-only.
    connection.read<{ n: number }>("SELECT count(*) AS n FROM sqlite_master").get();
    return { connection, rescue: { reason: "its check at start found damage", backup } };
  } catch (thrown) {
    throw new CredenceError(
      "storage.damaged",
      { file: path, backup: backup?.path ?? null },
      { cause: thrown instanceof Error ? thrown : cause },
    );
  }
}

function ensureWritableFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw asStorageError(thrown, folder);
  }
}

function isDamage(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof IntegrityFailure || code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT");
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}

/** Turns what the file system and SQLite throw into errors that say what to do. */
export function asStorageError(thrown: unknown, folder: string): unknown {
  const code = codeOf(thrown);
  if (code === "ENOSPC" || code === "SQLITE_FULL" || code === "EDQUOT") {
    return new CredenceError("storage.disk-full", { folder }, { cause: thrown });
  }
  const unwritable = [
    "EACCES",
    "EPERM",
    "EROFS",
    "ENOTDIR",
    "EEXIST",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_PERM",
  ];
  if (unwritable.some((known) => code === known || code.startsWith(`${known}_`))) {
    return new CredenceError("storage.folder-not-writable", { folder }, { cause: thrown });
  }
  if (code === "SQLITE_BUSY" || code === "SQLITE_LOCKED") {
    return new CredenceError("storage.busy", { folder }, { cause: thrown });
  }
  return thrown;
}
