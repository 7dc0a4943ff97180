import type { Migration } from "../migrate.ts";

/** Conversations, their messages, the settings, and the trail of each turn. */
export const conversations: Migration = {
  version: 1,
  name: "conversations",
  up(db) {
    db.exec(`
      CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        titled INTEGER NOT NULL DEFAULT 0,
        pinned INTEGER NOT NULL DEFAULT 0,
        ephemeral INTEGER NOT NULL DEFAULT 0,
        scope TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER
      ) STRICT;
      CREATE INDEX conversations_by_time ON conversations (deleted_at, pinned, updated_at);

      CREATE TABLE messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        turn_id TEXT,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
        content TEXT NOT NULL DEFAULT '',
        reasoning TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL CHECK (state IN ('streaming', 'complete', 'interrupted', 'failed')),
        model_id TEXT,
        model_name TEXT,
        generated_tokens INTEGER,
        tokens_per_second REAL,
        note TEXT,
        reply_to TEXT,
        shown INTEGER NOT NULL DEFAULT 1,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_conversation ON messages (conversation_id, shown, seq);
      CREATE INDEX messages_by_question ON messages (reply_to) WHERE reply_to IS NOT NULL;
      CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';

      CREATE TABLE turn_events (
        turn_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        message_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (turn_id, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX turn_events_by_message ON turn_events (message_id);

      CREATE TABLE settings (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `);
    return 0;
  },
};
