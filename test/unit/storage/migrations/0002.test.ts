import { describe, expect, it } from "vitest";
import { migrate, migrations } from "../../../../core/storage/index.ts";
import { databaseBefore } from "../../../support/profile.ts";

describe("migration 2, models", () => {
  it("adds the list of models beside old conversations, with one model in use a role", () => {
    const db = databaseBefore(2);
    db.exec("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Eels', 1, 1)");
    const before = db.read("SELECT * FROM conversations").all();
    migrate(
      db,
      migrations.filter((migration) => migration.version <= 2),
    );
    expect(db.read("SELECT * FROM conversations").all()).toEqual(before);
    const add = (id: string, role: string, active: number) =>
      db.exec(
        `INSERT INTO models (id, path, role, active, fingerprint, facts, added_at) VALUES ('${id}', '/${id}', '${role}', ${active}, 'f', '{}', 1)`,
      );
    add("a", "chat", 1);
    add("b", "embed", 1);
    add("c", "chat", 0);
    expect(() => add("d", "chat", 1)).toThrow(/UNIQUE/);
    expect(() => add("e", "seer", 0)).toThrow(/CHECK/);
  });
});
