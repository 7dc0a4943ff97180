import type { Migration } from "../migrate.ts";

/** Beliefs, the evidence they rest on, the log that rebuilds them, snapshots, and what waits for the scorer. */
export const beliefs: Migration = {
  version: 30,
  name: "beliefs",
  up(db) {
    db.exec(`
      CREATE TABLE beliefs (
        id TEXT PRIMARY KEY,
        topic TEXT NOT NULL,
        statement TEXT NOT NULL,
        valence REAL NOT NULL,
        confidence REAL NOT NULL,
        supports INTEGER NOT NULL,
        contradicts INTEGER NOT NULL,
        contradiction REAL NOT NULL,
        contradictions INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        reinforced_at INTEGER NOT NULL,
        retired INTEGER NOT NULL,
        pinned INTEGER NOT NULL DEFAULT 0,
        disputed_at INTEGER,
        dispute_reason TEXT,
        deleted_at INTEGER
      ) STRICT;
      CREATE INDEX beliefs_by_topic ON beliefs (deleted_at, topic);
      CREATE INDEX beliefs_by_change ON beliefs (deleted_at, changed_at);

      CREATE TABLE belief_evidence (
        id TEXT PRIMARY KEY,
        belief_id TEXT NOT NULL REFERENCES beliefs (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        ref_id TEXT NOT NULL,
        source_id TEXT NOT NULL,
        title TEXT NOT NULL,
        place TEXT NOT NULL,
        quote TEXT NOT NULL,
        direction INTEGER NOT NULL CHECK (direction IN (1, -1)),
        strength REAL NOT NULL,
        type TEXT NOT NULL,
        scorer TEXT NOT NULL,
        at INTEGER NOT NULL,
        removed_at INTEGER
      ) STRICT;
      CREATE INDEX belief_evidence_by_belief ON belief_evidence (belief_id, removed_at);
      CREATE INDEX belief_evidence_by_ref ON belief_evidence (ref_id);
      CREATE INDEX belief_evidence_by_source ON belief_evidence (kind, source_id);

      CREATE TABLE belief_revisions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        belief_id TEXT NOT NULL REFERENCES beliefs (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        at INTEGER NOT NULL,
        evidence_id TEXT REFERENCES belief_evidence (id) ON DELETE CASCADE,
        direction INTEGER,
        strength REAL,
        type TEXT,
        interaction INTEGER,
        pinned INTEGER NOT NULL DEFAULT 0,
        why TEXT NOT NULL,
        detail TEXT NOT NULL DEFAULT '',
        undone_at INTEGER,
        undone_why TEXT,
        before_valence REAL,
        after_valence REAL,
        before_confidence REAL,
        after_confidence REAL,
        arithmetic TEXT
      ) STRICT;
      CREATE INDEX belief_revisions_by_belief ON belief_revisions (belief_id, seq);
      CREATE INDEX belief_revisions_by_time ON belief_revisions (at);
      CREATE INDEX belief_revisions_by_evidence ON belief_revisions (evidence_id);

      CREATE TABLE belief_vectors (
        belief_id TEXT PRIMARY KEY REFERENCES beliefs (id) ON DELETE CASCADE,
        embedder_id TEXT NOT NULL,
        statement TEXT NOT NULL,
        vector BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE belief_staged (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        item TEXT NOT NULL
      ) STRICT;

      CREATE TABLE belief_snapshots (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        version INTEGER,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        refused TEXT,
        author TEXT NOT NULL
      ) STRICT;

      CREATE TABLE belief_counters (
        key TEXT PRIMARY KEY,
        value INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE belief_scorer_trials (
        model_id TEXT PRIMARY KEY,
        correct INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `);
    return 0;
  },
};
