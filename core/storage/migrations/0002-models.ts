import type { Migration } from "../migrate.ts";

/** Installed models: files that the user pointed to or that came with Credence, what is known of them, and which one is in use. */
export const models: Migration = {
  version: 2,
  name: "models",
  up(db) {
    db.exec(`
      CREATE TABLE models (
        id TEXT PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL CHECK (role IN ('chat', 'embed', 'rerank')),
        starter INTEGER NOT NULL DEFAULT 0,
        copied INTEGER NOT NULL DEFAULT 0,
        active INTEGER NOT NULL DEFAULT 0,
        fingerprint TEXT NOT NULL,
        facts TEXT NOT NULL,
        licence TEXT,
        problem TEXT,
        tokens_per_second REAL,
        profile TEXT,
        added_at INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX models_one_active ON models (role) WHERE active = 1;
    `);
    return 0;
  },
};
