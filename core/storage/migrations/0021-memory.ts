import type { Migration } from "../migrate.ts";

/** Episodes with their derivatives, what is known, how memory was used, and what the user decided about it. */
export const memory: Migration = {
  version: 21,
  name: "memory",
  up(db) {
    db.exec(`
      CREATE TABLE passage_speakers (
        name TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;
      INSERT INTO passage_speakers (name) SELECT DISTINCT speaker FROM passages WHERE speaker <> '';

      CREATE TABLE episodes (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('exchange', 'finding', 'note', 'item')),
        source_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        strength REAL,
        signal REAL,
        reasoning TEXT,
        digest TEXT NOT NULL,
        extracted INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX episodes_by_source ON episodes (source_id, at);
      CREATE INDEX episodes_to_extract ON episodes (extracted, at) WHERE extracted = 0;

      CREATE TABLE derivatives (
        id TEXT PRIMARY KEY,
        episode_id TEXT NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        role TEXT NOT NULL,
        message_id TEXT,
        text TEXT NOT NULL
      ) STRICT;
      CREATE INDEX derivatives_by_episode ON derivatives (episode_id, ordinal);
      CREATE INDEX derivatives_by_message ON derivatives (message_id) WHERE message_id IS NOT NULL;

      CREATE TABLE knowledge (
        id TEXT PRIMARY KEY,
        statement TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        superseded_by TEXT,
        claim INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      CREATE TABLE citations (
        knowledge_id TEXT NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
        passage_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (knowledge_id, passage_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX citations_by_passage ON citations (passage_id);

      CREATE TABLE memory_state (
        passage_id TEXT PRIMARY KEY,
        uses INTEGER NOT NULL DEFAULT 0,
        last_used_at INTEGER,
        pinned INTEGER NOT NULL DEFAULT 0,
        edited INTEGER NOT NULL DEFAULT 0,
        signals TEXT,
        signal REAL,
        expires_at INTEGER,
        superseded_by TEXT,
        deleted_at INTEGER,
        kept TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX memory_state_deleted ON memory_state (deleted_at) WHERE deleted_at IS NOT NULL;
      CREATE INDEX memory_state_pinned ON memory_state (pinned) WHERE pinned = 1;
      CREATE INDEX memory_state_superseded ON memory_state (superseded_by) WHERE superseded_by IS NOT NULL;

      CREATE TABLE memory_topics (
        passage_id TEXT NOT NULL,
        topic TEXT NOT NULL,
        PRIMARY KEY (topic, passage_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX memory_topics_by_passage ON memory_topics (passage_id);

      CREATE TABLE memory_dismissed (
        conversation_id TEXT NOT NULL,
        passage_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (conversation_id, passage_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE memory_uses (
        passage_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (passage_id, message_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE memory_tidied (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        merged INTEGER NOT NULL,
        archived INTEGER NOT NULL,
        forgotten INTEGER NOT NULL
      ) STRICT;
    `);
    return 0;
  },
};
