import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CredenceError } from "../contract/index.ts";
import type { Log } from "../platform/index.ts";
import { Connection, type NativePaths } from "./database.ts";
import { schemaVersion } from "./migrate.ts";
import { lockProfile } from "./profile-lock.ts";

const LIVE = "credence.db";
const WAITING = "restore.db";

/**
 * Puts a backup in place for the next start, after checking that it is whole and not of a newer version. Nothing of the
 * running Credence changes. Throws `storage.not-a-backup` or `storage.newer-version`.
 */
export function scheduleRestore(options: {
  readonly dataDir: string;
  readonly path: string;
  readonly newest: number;
  readonly native?: NativePaths | undefined;
}): void {
  const { dataDir, path, newest, native } = options;
  let found: number;
  try {
    const backup = new Connection(path, { readonly: true, ...(native ? { native } : {}) });
    try {
      if (String(backup.pragma("quick_check(1)")) !== "ok") throw new Error("quick_check");
      backup.read("SELECT 1 FROM conversations LIMIT 1").get();
      found = schemaVersion(backup);
    } finally {
      backup.close();
    }
  } catch (cause) {
    throw new CredenceError("storage.not-a-backup", { file: path }, { cause });
  }
  if (found > newest) throw new CredenceError("storage.newer-version", { file: path, found, known: newest });
  const part = join(dataDir, `${WAITING}.part`);
  copyFileSync(path, part);
  renameSync(part, join(dataDir, WAITING));
}

/** At a start, before the database is opened: the waiting backup takes its place; what was there is kept beside the backups. */
export function applyRestore(dataDir: string, log: Log): boolean {
  const waiting = join(dataDir, WAITING);
  if (!existsSync(waiting)) return false;
  // Another Credence that is running would go on writing to a file that is no longer there.
  const unlock = lockProfile(dataDir);
  try {
    const folder = join(dataDir, "backups");
    mkdirSync(folder, { recursive: true });
    const kept = join(folder, `replaced-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
    for (const suffix of ["", "-wal"]) {
      const live = join(dataDir, LIVE + suffix);
      if (existsSync(live)) renameSync(live, kept + suffix);
    }
    rmSync(join(dataDir, `${LIVE}-shm`), { force: true });
    renameSync(waiting, join(dataDir, LIVE));
    log.info("storage.restored", {});
    return true;
  } finally {
    unlock();
  }
}
