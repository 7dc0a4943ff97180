import type { DocumentState, ErrorData, LibraryDocument } from "../contract/index.ts";
import type { Warning } from "../parsing/index.ts";

/** A document as stored, joined with its collection's rule and its original's name. */
export interface DocumentRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  readonly collection_id: string | null;
  readonly watched_id: string | null;
  readonly state: DocumentState;
  readonly error: string | null;
  readonly stored: number;
  readonly storing: number;
  readonly bytes: number;
  readonly modified_at: number | null;
  readonly content_hash: string | null;
  readonly format: string | null;
  readonly title: string | null;
  readonly language: string | null;
  readonly pages: number | null;
  readonly passages: number;
  readonly characters: number;
  readonly warnings: string;
  readonly duplicate_of: string | null;
  readonly moves_beliefs: number | null;
  readonly added_at: number;
  readonly read_at: number | null;
  readonly collection_moves: number | null;
  readonly original_name: string | null;
}

export const documentColumns = `
  d.seq, d.id, d.name, d.path, d.collection_id, d.watched_id, d.state, d.error, d.stored, d.storing, d.bytes, d.modified_at,
  d.content_hash, d.format, d.title, d.language, d.pages, d.passages, d.characters, d.warnings, d.duplicate_of, d.moves_beliefs,
  d.added_at, d.read_at, c.moves_beliefs AS collection_moves, o.name AS original_name`;

export const documentJoins = `
  documents d LEFT JOIN collections c ON c.id = d.collection_id LEFT JOIN documents o ON o.id = d.duplicate_of`;

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: string;
}

/** Warnings that change what a reader may expect; the others are details of the format. */
const worthTelling: ReadonlySet<Warning["kind"]> = new Set([
  "no-text-layer",
  "damaged",
  "cut-short",
  "skipped-part",
  "empty",
]);

export function toDocument(row: DocumentRow, progress: Progress | null, ocrReady: boolean): LibraryDocument {
  const error = row.error === null ? null : (JSON.parse(row.error) as ErrorData);
  const warnings = JSON.parse(row.warnings) as Warning[];
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    collectionId: row.collection_id,
    watchedId: row.watched_id,
    state: row.state,
    note: noteOf(row, error, warnings),
    action: actionOf(
      row,
      error,
      ocrReady && warnings.some(({ kind }) => kind === "no-text-layer" || kind === "some-pages-without-text"),
    ),
    progress: row.state === "reading" ? progress : null,
    format: row.format,
    language: row.language,
    title: row.title,
    pages: row.pages,
    passages: row.passages,
    characters: row.characters,
    bytes: row.bytes,
    addedAt: row.added_at,
    readAt: row.read_at,
    mayMoveBeliefs: (row.moves_beliefs ?? row.collection_moves ?? 0) === 1,
    duplicateOf:
      row.duplicate_of === null ? null : { id: row.duplicate_of, name: row.original_name ?? "another document" },
  };
}

function noteOf(row: DocumentRow, error: ErrorData | null, warnings: readonly Warning[]): string | null {
  if (row.state === "duplicate") return `Same as ${row.original_name ?? "another document"}`;
  if (row.state === "cancelled") return "Cancelled";
  if (error !== null) return error.message;
  return row.state === "ready" ? (warnings.find((warning) => worthTelling.has(warning.kind))?.message ?? null) : null;
}

function actionOf(row: DocumentRow, error: ErrorData | null, scanned: boolean): LibraryDocument["action"] {
  if (error?.kind === "documents.password-needed" || error?.kind === "documents.password-wrong") return "unlock";
  if (row.state === "cancelled") return "retry";
  if (row.state === "ready" && scanned) return "ocr";
  return row.state === "failed" && error?.retry !== "never" ? "retry" : null;
}
