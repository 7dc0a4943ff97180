import type { Migration } from "../migrate.ts";

/** Anchored summaries of long conversations, messages kept as documents, and bookkeeping that outlives a crash. */
export const agent: Migration = {
  version: 10,
  name: "agent",
  up(db) {
    db.exec(`
      CREATE TABLE conversation_summaries (
        conversation_id TEXT PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
        summary TEXT NOT NULL,
        through_message TEXT NOT NULL,
        messages INTEGER NOT NULL,
        tokens_before INTEGER NOT NULL,
        tokens_after INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE message_attachments (
        message_id TEXT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        document_id TEXT NOT NULL,
        stand_in TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE bookkeeping (
        turn_id TEXT NOT NULL,
        step TEXT NOT NULL,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        payload TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        queued_at INTEGER NOT NULL,
        PRIMARY KEY (turn_id, step)
      ) STRICT, WITHOUT ROWID;
    `);
    return 0;
  },
};
