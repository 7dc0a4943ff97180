import type { Migration } from "../migrate.ts";

/** What may leave the machine and what did; standing rules for tools; tool servers; routing heads learned here. */
export const tools: Migration = {
  version: 11,
  name: "tools",
  up(db) {
    db.exec(`
      CREATE TABLE egress_consents (
        purpose TEXT PRIMARY KEY,
        allowed INTEGER NOT NULL,
        decided_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE egress_ledger (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        day TEXT NOT NULL,
        purpose TEXT NOT NULL,
        host TEXT NOT NULL,
        method TEXT NOT NULL,
        what TEXT NOT NULL,
        agreed_by TEXT NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('sending', 'ok', 'failed', 'refused')),
        status INTEGER,
        bytes_up INTEGER NOT NULL DEFAULT 0,
        bytes_down INTEGER NOT NULL DEFAULT 0,
        duration_ms INTEGER
      ) STRICT;
      CREATE INDEX egress_ledger_by_purpose ON egress_ledger (purpose, id);
      CREATE INDEX egress_ledger_by_host ON egress_ledger (host, id);
      CREATE INDEX egress_ledger_by_day ON egress_ledger (day);

      CREATE TABLE approval_rules (
        tool TEXT PRIMARY KEY,
        decision TEXT NOT NULL CHECK (decision IN ('allow', 'deny')),
        decided_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE mcp_servers (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        transport TEXT NOT NULL,
        enabled INTEGER NOT NULL DEFAULT 1,
        safety TEXT NOT NULL DEFAULT '{}',
        created_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE web_productivity (
        domain TEXT PRIMARY KEY,
        pages INTEGER NOT NULL,
        facts INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE routing_heads (
        embedder_id TEXT PRIMARY KEY,
        head TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `);
    return 0;
  },
};
