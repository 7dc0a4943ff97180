import type { Migration } from "../migrate.ts";

/** Subscriptions and their entries, with words searchable in the list. */
export const feeds: Migration = {
  version: 50,
  name: "feeds",
  up(db) {
    db.exec(`
      CREATE TABLE feeds (
        id TEXT PRIMARY KEY,
        url TEXT UNIQUE,
        title TEXT NOT NULL,
        custom_title TEXT,
        home_page TEXT,
        description TEXT NOT NULL DEFAULT '',
        folder TEXT NOT NULL DEFAULT '',
        interval_minutes INTEGER NOT NULL DEFAULT 60,
        paused INTEGER NOT NULL DEFAULT 0,
        may_move_beliefs INTEGER NOT NULL DEFAULT 0,
        full_text INTEGER NOT NULL DEFAULT 0,
        by_hand INTEGER NOT NULL DEFAULT 0,
        etag TEXT,
        last_modified TEXT,
        next_at INTEGER,
        checked_at INTEGER,
        succeeded_at INTEGER,
        failures INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'ok', 'failing', 'gone')),
        problem TEXT,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER
      ) STRICT;
      CREATE INDEX feeds_due ON feeds (next_at) WHERE paused = 0 AND deleted_at IS NULL AND url IS NOT NULL;

      CREATE TABLE feed_entries (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        feed_id TEXT NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        title TEXT NOT NULL,
        link TEXT,
        author TEXT,
        at INTEGER NOT NULL,
        published_raw TEXT,
        updated_at INTEGER,
        first_seen_at INTEGER NOT NULL,
        summary TEXT NOT NULL,
        content TEXT NOT NULL,
        text TEXT NOT NULL DEFAULT '',
        full_text TEXT,
        categories TEXT NOT NULL,
        enclosures TEXT NOT NULL,
        hash TEXT NOT NULL,
        read INTEGER NOT NULL DEFAULT 0,
        starred INTEGER NOT NULL DEFAULT 0,
        in_feed INTEGER NOT NULL DEFAULT 1,
        offered INTEGER NOT NULL DEFAULT 0,
        UNIQUE (feed_id, key)
      ) STRICT;
      CREATE INDEX feed_entries_by_time ON feed_entries (at DESC, seq DESC);
      CREATE INDEX feed_entries_by_feed ON feed_entries (feed_id, at DESC, seq DESC);
      CREATE INDEX feed_entries_unread ON feed_entries (feed_id) WHERE read = 0;
      CREATE INDEX feed_entries_to_offer ON feed_entries (seq) WHERE offered = 0;
      CREATE INDEX feed_entries_starred ON feed_entries (at DESC) WHERE starred = 1;
    `);
    return 0;
  },
};
