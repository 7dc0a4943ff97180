/** One SQLite file: opened safely, migrated with a backup, checked at start. The only module that opens the database. */
export * from "./database.ts";
export * from "./migrate.ts";
export * from "./migrations/index.ts";
export * from "./open.ts";
export * from "./profile-lock.ts";
export * from "./restore.ts";
