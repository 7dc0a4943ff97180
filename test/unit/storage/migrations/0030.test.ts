import { describe, expect, it } from "vitest";
import { Connection, migrate } from "../../../../core/storage/index.ts";
import { migrations } from "../../../../core/storage/migrations/index.ts";

describe("migration 30, beliefs", () => {
  it("adds its tables beside what was there, and leaves that as it was", () => {
    const db = new Connection(":memory:");
    migrate(
      db,
      migrations.filter((migration) => migration.version < 30),
    );
    db.write("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c1', 'Eels', 1, 2)").run();
    const before = db.read("SELECT * FROM conversations").all();
    migrate(
      db,
      migrations.filter((migration) => migration.version <= 30),
    );
    expect(db.read("SELECT * FROM conversations").all()).toEqual(before);
    expect(db.pragma("user_version")).toBe(30);
  });

  it("keeps numbers to the last bit and takes a belief's evidence and log with it", () => {
    const db = new Connection(":memory:");
    migrate(
      db,
      migrations.filter((migration) => migration.version <= 30),
    );
    const third = 1 / 3;
    db.write(
      `INSERT INTO beliefs (id, topic, statement, valence, confidence, supports, contradicts, contradiction, contradictions,
         created_at, changed_at, reinforced_at, retired) VALUES ('b', 't', 's', ?, 0.2, 1, 0, 0, 0, 1, 1, 1, 0)`,
    ).run(third);
    expect(db.read<{ valence: number }>("SELECT valence FROM beliefs").get()!.valence).toBe(third);
    const edge =
      "INSERT INTO belief_evidence (id, belief_id, kind, ref_id, source_id, title, place, quote, direction, strength, type, scorer, at) VALUES (?, 'b', 'message', 'm', 'c', '', '', '', ?, 0.5, 'empirical_data', 'rules', 1)";
    db.write(edge).run("e1", 1);
    expect(() => db.write(edge).run("e2", 0)).toThrow(/CHECK/);
    db.write(
      "INSERT INTO belief_revisions (id, belief_id, kind, at, evidence_id, why) VALUES ('r', 'b', 'evidence', 1, 'e1', '')",
    ).run();
    db.write("DELETE FROM beliefs").run();
    expect(db.read("SELECT * FROM belief_evidence").all()).toEqual([]);
    expect(db.read("SELECT * FROM belief_revisions").all()).toEqual([]);
  });
});
