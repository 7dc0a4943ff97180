import { expect, test } from "vitest";
import { conversations } from "../../../../core/storage/migrations/0001-conversations.ts";
import { databaseBefore } from "../../../support/profile.ts";

test("0001 makes conversations whose messages and trails go with them", () => {
  const db = databaseBefore(1);
  db.transaction(() => conversations.up(db));
  db.exec(`
    INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Eels', 1, 1);
    INSERT INTO messages (id, conversation_id, role, content, state, created_at) VALUES ('m', 'c', 'user', 'hello', 'complete', 1);
    INSERT INTO turn_events (turn_id, seq, conversation_id, message_id, at, event) VALUES ('t', 1, 'c', 'm', 1, '{}');
  `);
  expect(() =>
    db.exec(
      "INSERT INTO messages (id, conversation_id, role, state, created_at) VALUES ('n', 'c', 'tool', 'complete', 1)",
    ),
  ).toThrow(/CHECK/);
  db.exec("DELETE FROM conversations");
  expect(db.read("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM turn_events) AS n").get()).toEqual({
    n: 0,
  });
});

test("0001: a page of messages is read by its index", () => {
  const db = databaseBefore(1);
  db.transaction(() => conversations.up(db));
  const plan = db
    .read<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT * FROM messages WHERE conversation_id = 'c' AND shown = 1 AND seq < 9 ORDER BY seq DESC LIMIT 60",
    )
    .all();
  expect(plan.map((row) => row.detail)).toEqual([expect.stringContaining("USING INDEX messages_by_conversation")]);
});
