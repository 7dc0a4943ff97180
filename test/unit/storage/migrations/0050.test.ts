import { expect, test } from "vitest";
import { feeds } from "../../../../core/storage/migrations/0050-feeds.ts";
import { databaseBefore } from "../../../support/profile.ts";

test("0050 makes feeds whose entries go with them, one of a key per feed, and leaves what was there alone", () => {
  const db = databaseBefore(50);
  db.exec("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Kept', 1, 1)");
  db.transaction(() => feeds.up(db));
  const insert = (id: string) =>
    db.exec(`INSERT INTO feed_entries (id, feed_id, key, title, at, first_seen_at, summary, content, categories, enclosures, hash)
             VALUES ('${id}', 'f', 'guid', '', 1, 1, '', '', '[]', '[]', '')`);
  db.exec("INSERT INTO feeds (id, url, title, created_at) VALUES ('f', 'https://example.org/', '', 1)");
  insert("a");
  expect(() => insert("b")).toThrow(/UNIQUE/);
  db.exec("DELETE FROM feeds");
  expect(
    db
      .read("SELECT (SELECT count(*) FROM feed_entries) AS entries, (SELECT count(*) FROM conversations) AS kept")
      .get(),
  ).toEqual({ entries: 0, kept: 1 });
});

test("0050: the list of one feed is read by its index", () => {
  const db = databaseBefore(50);
  db.transaction(() => feeds.up(db));
  const plan = db
    .read<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT * FROM feed_entries WHERE feed_id = 'f' ORDER BY at DESC, seq DESC LIMIT 50",
    )
    .all();
  expect(plan.map((row) => row.detail)).toEqual([expect.stringContaining("feed_entries_by_feed")]);
});
