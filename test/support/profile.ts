import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../core/storage/index.ts";

/** A new empty folder for one test; call the returned function to remove it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "credence-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A database in memory with all migrations applied. */
export function migratedDatabase(): Connection {
  const connection = new Connection(":memory:");
  migrate(connection, migrations);
  return connection;
}

/** A database in memory as it was before migration `version`. */
export function databaseBefore(version: number): Connection {
  const connection = new Connection(":memory:");
  migrate(
    connection,
    migrations.filter((migration) => migration.version < version),
  );
  return connection;
}

export { silentLog };
