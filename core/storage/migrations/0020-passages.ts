import type { Migration } from "../migrate.ts";

/** The hybrid index: passages, their words, the parts to embed, and which embedders' vectors exist. */
export const passages: Migration = {
  version: 20,
  name: "passages",
  up(db) {
    db.exec(`
      CREATE TABLE passages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('message', 'document', 'feed', 'memory')),
        source_id TEXT NOT NULL,
        collection_id TEXT,
        text TEXT NOT NULL,
        title TEXT NOT NULL,
        place TEXT NOT NULL,
        speaker TEXT NOT NULL DEFAULT '',
        context TEXT NOT NULL DEFAULT '',
        at INTEGER NOT NULL,
        position INTEGER,
        strength REAL,
        archived INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX passages_by_source ON passages (source_id, kind, position);
      CREATE INDEX passages_by_collection ON passages (collection_id) WHERE collection_id IS NOT NULL;
      CREATE INDEX passages_by_time ON passages (at);

      CREATE VIRTUAL TABLE passage_words USING fts5 (
        text, title, context, speaker, grams,
        content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
      );
      CREATE VIRTUAL TABLE passage_terms USING fts5vocab (passage_words, 'col');

      CREATE TABLE passage_parts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        passage INTEGER NOT NULL REFERENCES passages (seq) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('whole', 'window', 'sentence', 'question')),
        text TEXT
      ) STRICT;
      CREATE INDEX passage_parts_by_passage ON passage_parts (passage);

      CREATE TABLE vector_spaces (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        embedder_id TEXT NOT NULL UNIQUE,
        dimensions INTEGER NOT NULL,
        metric TEXT NOT NULL DEFAULT 'cosine' CHECK (metric = 'cosine'),
        state TEXT NOT NULL CHECK (state IN ('active', 'building', 'paused')),
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX vector_spaces_active ON vector_spaces (state) WHERE state = 'active';

      CREATE TABLE vector_queue (
        space INTEGER NOT NULL REFERENCES vector_spaces (id) ON DELETE CASCADE,
        part INTEGER NOT NULL REFERENCES passage_parts (seq) ON DELETE CASCADE,
        PRIMARY KEY (space, part)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX vector_queue_by_part ON vector_queue (part);

      CREATE TABLE vector_codes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        space INTEGER NOT NULL,
        part INTEGER NOT NULL,
        code BLOB NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX vector_codes_by_part ON vector_codes (part, space);
    `);
    return 0;
  },
};
