import { expect, test } from "vitest";
import { tools } from "../../../../core/storage/migrations/0011-tools.ts";
import { databaseBefore } from "../../../support/profile.ts";

test("0011 makes the ledger, consents, rules and tool servers empty, and leaves conversations alone", () => {
  const db = databaseBefore(11);
  db.exec("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Kept', 1, 1)");
  db.transaction(() => tools.up(db));
  for (const table of [
    "egress_consents",
    "egress_ledger",
    "approval_rules",
    "mcp_servers",
    "web_productivity",
    "routing_heads",
  ]) {
    expect(db.read(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 });
  }
  expect(db.read("SELECT id, title FROM conversations").all()).toEqual([{ id: "c", title: "Kept" }]);
  expect(() =>
    db.exec("INSERT INTO approval_rules (tool, decision, decided_at) VALUES ('web_research', 'perhaps', 1)"),
  ).toThrow(/CHECK/);
});

test("0011: a host's entries are read by their index", () => {
  const db = databaseBefore(11);
  db.transaction(() => tools.up(db));
  const plan = db
    .read<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT * FROM egress_ledger WHERE host = 'h' ORDER BY id DESC LIMIT 50",
    )
    .all();
  expect(plan.map((row) => row.detail)).toEqual([expect.stringContaining("egress_ledger_by_host")]);
});
