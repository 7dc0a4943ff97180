import { describe, expect, it } from "vitest";
import { Connection, migrate, migrations } from "../../../../core/storage/index.ts";

describe("migration 21, memory", () => {
  it("keeps indexed passages as they were and knows who spoke in them", () => {
    const db = new Connection(":memory:");
    const until = (version: number) =>
      migrate(
        db,
        migrations.filter((migration) => migration.version <= version),
      );
    until(20);
    const insert = db.write(
      "INSERT INTO passages (id, kind, source_id, text, title, place, speaker, at) VALUES (?, 'message', 'c1', 'eels', '', '', ?, 1)",
    );
    insert.run("a", "Nadia");
    insert.run("b", "");
    insert.run("c", "Nadia");
    const before = db.read("SELECT * FROM passages").all();
    until(21);
    expect(db.read("SELECT * FROM passages").all()).toEqual(before);
    expect(db.read("SELECT name FROM passage_speakers").all()).toEqual([{ name: "Nadia" }]);
    expect(db.read("SELECT count(*) AS n FROM episodes").get()).toEqual({ n: 0 });
  });
});
