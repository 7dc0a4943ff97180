import type { ExtractResult, Passage, Section } from "../parsing/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

/** Stores what was read of a document, piece by piece; between `beginStoring` and `finish` the row says so. */
export class DocumentWriter {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  passageIds(documentId: string): string[] {
    return this.#db
      .read<{ id: string }>("SELECT id FROM document_passages WHERE document_id = ? ORDER BY position")
      .all(documentId)
      .map((row) => row.id);
  }

  /** Clears what an earlier reading stored, and notes that the document is between two states until `finish`. */
  beginStoring(id: string): void {
    this.#db.transaction(() => {
      this.#db.write("UPDATE documents SET storing = 1 WHERE id = ?").run(id);
      for (const table of ["document_texts", "document_sections", "document_passages"])
        this.#db.write(`DELETE FROM ${table} WHERE document_id = ?`).run(id);
    });
  }

  addText(id: string, start: number, text: string): void {
    this.#db.write("INSERT INTO document_texts (document_id, start, text) VALUES (?, ?, ?)").run(id, start, text);
  }

  addSections(id: string, from: number, sections: readonly Section[]): void {
    const insert = this.#db.write(
      `INSERT INTO document_sections (document_id, position, kind, number, title, level, start, "end") VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#db.transaction(() => {
      sections.forEach((section, i) => {
        insert.run(
          id,
          from + i,
          section.kind,
          section.number,
          section.title,
          section.level,
          section.start,
          section.end,
        );
      });
    });
  }

  addPassages(id: string, from: number, passages: readonly Passage[], evidence: ReadonlySet<string>): void {
    const insert = this.#db.write(
      `INSERT OR REPLACE INTO document_passages (id, document_id, position, start, "end", place, page, path, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#db.transaction(() => {
      passages.forEach((passage, i) => {
        insert.run(
          passage.id,
          id,
          from + i,
          passage.start,
          passage.end,
          passage.place,
          passage.page,
          JSON.stringify(passage.path),
          evidence.has(passage.id) ? "waiting" : "no",
        );
      });
    });
  }

  finish(id: string, result: ExtractResult, pages: number | null): void {
    this.#db
      .write(
        `UPDATE documents SET state = 'ready', error = NULL, stored = 1, storing = 0, bytes = ?, content_hash = ?, format = ?, title = ?, language = ?,
           pages = ?, passages = ?, characters = ?, warnings = ?, metadata = ?, duplicate_of = NULL, read_at = ? WHERE id = ?`,
      )
      .run(
        result.bytes,
        result.hash,
        result.format,
        result.title,
        result.language,
        pages,
        result.passageCount,
        result.textLength,
        JSON.stringify(result.warnings),
        JSON.stringify(result.metadata),
        this.#clock.now(),
        id,
      );
  }
}
