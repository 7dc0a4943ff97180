import { expect, test } from "vitest";
import { jobs } from "../../../../core/storage/migrations/0060-jobs.ts";
import { databaseBefore } from "../../../support/profile.ts";

test("0060 makes a queue in which an item of a source stands once", () => {
  const db = databaseBefore(60);
  db.transaction(() => jobs.up(db));
  const insert = (id: string) =>
    db.exec(
      `INSERT INTO jobs (id, kind, source_id, container_id, origin, title, text, published_at, state, created_at) VALUES ('${id}', 'feed', 's', 'f', '', '', '', 1, 'waiting', 1)`,
    );
  insert("a");
  expect(() => insert("b")).toThrow(/UNIQUE/);
  expect(() => db.exec("UPDATE jobs SET state = 'lost'")).toThrow(/CHECK/);
});
