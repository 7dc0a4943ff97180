import type { LibraryDocument } from "../contract/index.ts";
import type { ReadableDatabase } from "../storage/index.ts";
import type { StoredPassage } from "./store.ts";

export interface TextSection {
  readonly kind: string;
  readonly number: number | null;
  readonly title: string | null;
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

/** Reads stored texts in part, however large the whole is. */
export class DocumentTexts {
  readonly #db: ReadableDatabase;

  constructor(db: ReadableDatabase) {
    this.#db = db;
  }

  /** `text.slice(start, end)` of a document's extracted text. */
  slice(documentId: string, start: number, end: number): string {
    if (end <= start) return "";
    const pieces = this.#db
      .read<{ start: number; text: string }>(
        `SELECT start, text FROM document_texts WHERE document_id = ? AND start < ?
           AND start >= coalesce((SELECT max(start) FROM document_texts WHERE document_id = ? AND start <= ?), 0)
         ORDER BY start`,
      )
      .all(documentId, end, documentId, start);
    let text = "";
    for (const piece of pieces) text += piece.text.slice(Math.max(0, start - piece.start), end - piece.start);
    return text;
  }

  sections(documentId: string, start: number, end: number): TextSection[] {
    return this.#db
      .read<TextSection>(
        `SELECT kind, number, title, level, start, "end" FROM document_sections WHERE document_id = ? AND start >= ? AND start < ? ORDER BY position LIMIT 5000`,
      )
      .all(documentId, start, end);
  }

  section(documentId: string, kind: "page" | "slide" | "sheet", number: number): TextSection | undefined {
    return this.#db
      .read<TextSection>(
        `SELECT kind, number, title, level, start, "end" FROM document_sections WHERE document_id = ? AND kind = ? AND number = ? LIMIT 1`,
      )
      .get(documentId, kind, number);
  }

  passage(id: string): StoredPassage | undefined {
    return this.#db
      .read<StoredPassage>(
        `SELECT id, document_id, position, start, "end", place, page, path FROM document_passages WHERE id = ?`,
      )
      .get(id);
  }

  passages(documentId: string, from: number, limit: number): StoredPassage[] {
    return this.#db
      .read<StoredPassage>(
        `SELECT id, document_id, position, start, "end", place, page, path FROM document_passages WHERE document_id = ? AND position >= ? ORDER BY position LIMIT ?`,
      )
      .all(documentId, from, limit);
  }
}

/** What the index searches beside a passage's own words: what the document is called, and the headings above. */
export function indexTitle(document: Pick<LibraryDocument, "name" | "title">, path: readonly string[]): string {
  const name =
    document.title && document.title !== document.name ? `${document.title} (${document.name})` : document.name;
  return [name, ...path].join(" › ").slice(0, 400);
}
