import { describe, expect, it } from "vitest";
import { Connection, migrate, migrations } from "../../../../core/storage/index.ts";

describe("migration 10, agent", () => {
  it("adds summaries, stand-ins and bookkeeping beside old conversations, and they go with them", () => {
    const db = new Connection(":memory:");
    migrate(
      db,
      migrations.filter((migration) => migration.version < 10),
    );
    db.exec(`
      INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Eels', 1, 1);
      INSERT INTO messages (id, conversation_id, role, content, state, created_at) VALUES ('m', 'c', 'user', 'hello', 'complete', 1);
    `);
    const before = db.read("SELECT * FROM messages").all();
    migrate(
      db,
      migrations.filter((migration) => migration.version <= 10),
    );
    expect(db.read("SELECT * FROM messages").all()).toEqual(before);
    db.exec(`
      INSERT INTO conversation_summaries VALUES ('c', '{}', 'm', 1, 10, 5, 2);
      INSERT INTO message_attachments VALUES ('m', 'c', 'd', 'attached', 2);
      INSERT INTO bookkeeping (turn_id, step, conversation_id, payload, queued_at) VALUES ('t', '00-weigh', 'c', '{}', 2);
    `);
    db.exec("DELETE FROM conversations");
    expect(
      db
        .read(
          "SELECT (SELECT count(*) FROM conversation_summaries) + (SELECT count(*) FROM message_attachments) + (SELECT count(*) FROM bookkeeping) AS n",
        )
        .get(),
    ).toEqual({ n: 0 });
  });
});
