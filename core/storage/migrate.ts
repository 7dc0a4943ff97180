import { CredenceError } from "../contract/index.ts";
import type { Connection, WritableDatabase } from "./database.ts";

/**
 * One step of the schema. Short and frozen: it imports no living code, so that it does in ten years what it does today.
 * Returns how many rows it changed, for the log.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(db: WritableDatabase): number;
}

/** The schema version of a file (SQLite's `user_version`). */
export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma("user_version"));
}

/**
 * Brings the database to the newest version, each migration in one transaction of its own.
 * Throws `storage.newer-version` for a file that a newer Credence wrote; nothing is changed then.
 */
export function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  onApplied: (migration: Migration, rows: number) => void = () => {},
): void {
  assertAscending(migrations);
  const newest = migrations.at(-1)?.version ?? 0;
  const current = schemaVersion(connection);
  if (current > newest) {
    throw new CredenceError("storage.newer-version", { file: connection.path, found: current, known: newest });
  }
  for (const migration of migrations) {
    if (migration.version <= current) continue;
    onApplied(migration, apply(connection, migration));
  }
}

function apply(connection: Connection, migration: Migration): number {
  try {
    return connection.transaction(() => {
      const changed = migration.up(connection);
      connection.exec(`PRAGMA user_version = ${migration.version}`);
      return changed;
    });
  } catch (cause) {
    // SQLite's own errors (a full disk, a damaged page) keep their code: the opener knows them.
    if (cause instanceof Error && "code" in cause) throw cause;
    throw new CredenceError("storage.upgrade-failed", { file: connection.path, step: migration.name }, { cause });
  }
}

function assertAscending(migrations: readonly Migration[]): void {
  for (let i = 1; i < migrations.length; i++) {
    const before = migrations[i - 1]!;
    const after = migrations[i]!;
    if (after.version <= before.version) {
      throw new Error(`Migration ${after.version} (${after.name}) must come after ${before.version} (${before.name})`);
    }
  }
}
