import { expect, test } from "vitest";
import { documents } from "../../../../core/storage/migrations/0040-documents.ts";
import { databaseBefore } from "../../../support/profile.ts";

const insertDocument =
  "INSERT INTO documents (id, name, state, queued_at, added_at, collection_id) VALUES ('d', 'a.pdf', 'waiting', 1, 1, 'c')";

test("0040 makes documents whose text, sections and passages go with them, and leaves what was there alone", () => {
  const db = databaseBefore(40);
  db.exec("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('k', 'Kept', 1, 1)");
  db.transaction(() => documents.up(db));
  db.exec(`
    INSERT INTO collections (id, name, created_at) VALUES ('c', 'Weir', 1);
    ${insertDocument};
    INSERT INTO document_texts (document_id, start, text) VALUES ('d', 0, 'words');
    INSERT INTO document_sections (document_id, position, kind, level, start, "end") VALUES ('d', 0, 'page', 1, 0, 5);
    INSERT INTO document_passages (id, document_id, position, start, "end", place) VALUES ('p', 'd', 0, 0, 5, 'p. 1');
    INSERT INTO pasted_texts (document_id, text) VALUES ('d', 'words');
    DELETE FROM collections;
  `);
  expect(db.read("SELECT collection_id FROM documents").get()).toEqual({ collection_id: null });
  db.exec("DELETE FROM documents");
  const counts = ["document_texts", "document_sections", "document_passages", "pasted_texts", "conversations"].map(
    (table) => db.read<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
  );
  expect(counts).toEqual([0, 0, 0, 0, 1]);
});

test("0040: the next document to read is found by its index", () => {
  const db = databaseBefore(40);
  db.transaction(() => documents.up(db));
  const plan = db
    .read<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT id FROM documents WHERE state = 'waiting' AND removed_at IS NULL ORDER BY queued_at, seq LIMIT 1",
    )
    .all();
  expect(plan.map((row) => row.detail).join()).toContain("documents_queue");
});
