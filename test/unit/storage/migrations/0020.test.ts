import { describe, expect, it } from "vitest";
import { Connection, migrate } from "../../../../core/storage/index.ts";
import { migrations } from "../../../../core/storage/migrations/index.ts";

describe("migration 20, passages", () => {
  it("adds the index beside what was there, and leaves it as it was", () => {
    const db = new Connection(":memory:");
    migrate(
      db,
      migrations.filter((migration) => migration.version < 20),
    );
    db.write("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c1', 'Eels', 1, 2)").run();
    const before = db.read("SELECT * FROM conversations").all();
    migrate(
      db,
      migrations.filter((migration) => migration.version <= 20),
    );
    expect(db.read("SELECT * FROM conversations").all()).toEqual(before);
    expect(db.pragma("user_version")).toBe(20);
    db.write(
      "INSERT INTO passages (id, kind, source_id, text, title, place, at) VALUES ('p', 'message', 'c1', 'eels', '', '', 1)",
    ).run();
    expect(() =>
      db
        .write(
          "INSERT INTO passages (id, kind, source_id, text, title, place, at) VALUES ('q', 'rumour', 'c1', '', '', '', 1)",
        )
        .run(),
    ).toThrow(/CHECK/);
    db.write(
      "INSERT INTO vector_spaces (embedder_id, dimensions, state, created_at) VALUES ('a', 8, 'active', 1)",
    ).run();
    expect(() =>
      db
        .write("INSERT INTO vector_spaces (embedder_id, dimensions, state, created_at) VALUES ('b', 8, 'active', 1)")
        .run(),
    ).toThrow(/UNIQUE/);
  });

  it("lets the indexes answer by source, collection and time", () => {
    const db = new Connection(":memory:");
    migrate(db, migrations);
    const plan = (sql: string, ...params: unknown[]) =>
      db
        .read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...params)
        .map((row) => row.detail)
        .join("; ");
    expect(plan("SELECT seq FROM passages WHERE source_id = ? AND kind = ?", "a", "message")).toContain(
      "passages_by_source",
    );
    expect(plan("SELECT seq FROM passages WHERE collection_id = ?", "a")).toContain("passages_by_collection");
    expect(plan("SELECT seq FROM passages WHERE at >= ? AND at < ?", 1, 2)).toContain("passages_by_time");
  });
});
