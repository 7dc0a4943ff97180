import type { Migration } from "../migrate.ts";

/** The ingest queue: items on their way to the beliefs. */
export const jobs: Migration = {
  version: 60,
  name: "jobs",
  up(db) {
    db.exec(`
      CREATE TABLE jobs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('feed', 'document')),
        source_id TEXT NOT NULL,
        container_id TEXT NOT NULL,
        origin TEXT NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        published_at INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'weighing', 'working', 'done', 'skipped', 'failed', 'cancelled')),
        insist INTEGER NOT NULL DEFAULT 0,
        reason TEXT,
        strength REAL,
        reasoning_type TEXT,
        beliefs TEXT NOT NULL DEFAULT '[]',
        tokens INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        started_at INTEGER,
        ended_at INTEGER,
        UNIQUE (kind, source_id)
      ) STRICT;
      CREATE INDEX jobs_open ON jobs (seq) WHERE state IN ('waiting', 'weighing', 'working');
      CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
    `);
    return 0;
  },
};
