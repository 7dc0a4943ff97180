import type { Migration } from "../migrate.ts";

/** The library: documents with the state of their reading, their text and passages, collections and watched folders. */
export const documents: Migration = {
  version: 40,
  name: "documents",
  up(db) {
    db.exec(`
      CREATE TABLE collections (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        moves_beliefs INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE watched_folders (
        id TEXT PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        collection_id TEXT REFERENCES collections (id) ON DELETE SET NULL,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE documents (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        path TEXT,
        collection_id TEXT REFERENCES collections (id) ON DELETE SET NULL,
        watched_id TEXT REFERENCES watched_folders (id) ON DELETE SET NULL,
        state TEXT NOT NULL
          CHECK (state IN ('waiting', 'reading', 'ready', 'failed', 'paused', 'cancelled', 'duplicate')),
        queued_at INTEGER NOT NULL,
        error TEXT,
        stored INTEGER NOT NULL DEFAULT 0,
        storing INTEGER NOT NULL DEFAULT 0,
        bytes INTEGER NOT NULL DEFAULT 0,
        modified_at INTEGER,
        content_hash TEXT,
        format TEXT,
        title TEXT,
        language TEXT,
        pages INTEGER,
        passages INTEGER NOT NULL DEFAULT 0,
        characters INTEGER NOT NULL DEFAULT 0,
        warnings TEXT NOT NULL DEFAULT '[]',
        metadata TEXT NOT NULL DEFAULT '{}',
        duplicate_of TEXT,
        moves_beliefs INTEGER,
        added_at INTEGER NOT NULL,
        read_at INTEGER,
        removed_at INTEGER
      ) STRICT;
      CREATE INDEX documents_queue ON documents (removed_at, state, queued_at, seq);
      CREATE INDEX documents_by_hash ON documents (content_hash) WHERE content_hash IS NOT NULL;
      CREATE INDEX documents_by_size ON documents (bytes);
      CREATE INDEX documents_by_collection ON documents (collection_id) WHERE collection_id IS NOT NULL;
      CREATE INDEX documents_by_watched ON documents (watched_id) WHERE watched_id IS NOT NULL;
      CREATE INDEX documents_by_original ON documents (duplicate_of) WHERE duplicate_of IS NOT NULL;

      CREATE TABLE pasted_texts (
        document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
        text TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE document_texts (
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        start INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (document_id, start)
      ) STRICT;

      CREATE TABLE document_sections (
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        number INTEGER,
        title TEXT,
        level INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        PRIMARY KEY (document_id, position)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE document_passages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        place TEXT NOT NULL,
        page INTEGER,
        path TEXT NOT NULL DEFAULT '[]',
        evidence TEXT NOT NULL DEFAULT 'no' CHECK (evidence IN ('no', 'waiting', 'offered'))
      ) STRICT;
      CREATE INDEX document_passages_by_document ON document_passages (document_id, position);
      CREATE INDEX document_passages_as_evidence ON document_passages (seq) WHERE evidence = 'waiting';
    `);
    return 0;
  },
};
