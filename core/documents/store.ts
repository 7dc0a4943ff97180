import { CredenceError, type DocumentState, type ErrorData, type LibraryDocument } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type DocumentRow, documentColumns, documentJoins, type Progress, toDocument } from "./rows.ts";
import { DocumentWriter } from "./writer.ts";

export interface NewDocument {
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  readonly collectionId: string | null;
  readonly watchedId: string | null;
  readonly bytes: number;
  readonly modifiedAt: number | null;
}

export interface StoredPassage {
  readonly id: string;
  readonly document_id: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly place: string;
  readonly page: number | null;
  readonly path: string;
}

export interface ListFilter {
  readonly view?: "all" | "recent" | "need-you" | undefined;
  readonly collectionId?: string | undefined;
  readonly watchedId?: string | undefined;
  readonly name?: string | undefined;
  readonly states?: readonly DocumentState[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly sort?: "added" | "name" | "size" | undefined;
}

const recentMs = 7 * 24 * 3_600_000;
const needYou = "d.state = 'failed'";

/** Documents in the database. Every method is one short transaction; large texts come and go in pieces. */
export class DocumentStore {
  readonly writer: DocumentWriter;
  readonly #db: WritableDatabase;
  readonly #clock: Clock;
  /** Progress changes many times a second and dies with the process, so it is not stored. */
  readonly progress = new Map<string, Progress>();

  readonly #ocrReady: () => boolean;

  constructor(db: WritableDatabase, clock: Clock, ocrReady: () => boolean = () => false) {
    this.#db = db;
    this.#clock = clock;
    this.#ocrReady = ocrReady;
    this.writer = new DocumentWriter(db, clock);
  }

  row(id: string): DocumentRow | undefined {
    return this.#db
      .read<DocumentRow>(`SELECT ${documentColumns} FROM ${documentJoins} WHERE d.id = ? AND d.removed_at IS NULL`)
      .get(id);
  }

  get(id: string): LibraryDocument {
    const row = this.row(id);
    if (!row) throw new CredenceError("documents.not-in-library", { id });
    return toDocument(row, this.progress.get(id) ?? null, this.#ocrReady());
  }

  list(filter: ListFilter, offset: number, limit: number): { documents: LibraryDocument[]; total: number } {
    const { where, params } = this.#where(filter);
    const order =
      filter.sort === "name"
        ? "d.name COLLATE NOCASE, d.seq"
        : filter.sort === "size"
          ? "d.bytes DESC, d.seq"
          : "d.added_at DESC, d.seq DESC";
    const total =
      this.#db.read<{ n: number }>(`SELECT count(*) AS n FROM documents d WHERE ${where}`).get(...params)?.n ?? 0;
    const rows = this.#db
      .read<DocumentRow>(
        `SELECT ${documentColumns} FROM ${documentJoins} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
      )
      .all(...params, limit, offset);
    return {
      documents: rows.map((row) => toDocument(row, this.progress.get(row.id) ?? null, this.#ocrReady())),
      total,
    };
  }

  #where(filter: ListFilter): { where: string; params: unknown[] } {
    const parts = ["d.removed_at IS NULL"];
    const params: unknown[] = [];
    const add = (sql: string, ...values: unknown[]) => {
      parts.push(sql);
      params.push(...values);
    };
    if (filter.view === "recent") add("d.added_at >= ?", this.#clock.now() - recentMs);
    if (filter.view === "need-you") add(needYou);
    if (filter.collectionId !== undefined) add("d.collection_id = ?", filter.collectionId);
    if (filter.watchedId !== undefined) add("d.watched_id = ?", filter.watchedId);
    if (filter.name) add("instr(lower(d.name), lower(?)) > 0", filter.name);
    if (filter.states?.length) add("d.state IN (SELECT value FROM json_each(?))", JSON.stringify(filter.states));
    if (filter.formats?.length) add("d.format IN (SELECT value FROM json_each(?))", JSON.stringify(filter.formats));
    return { where: parts.join(" AND "), params };
  }

  counts(): { total: number; recent: number; needYou: number; states: Record<DocumentState, number> } {
    const states: Record<DocumentState, number> = {
      waiting: 0,
      reading: 0,
      ready: 0,
      failed: 0,
      paused: 0,
      cancelled: 0,
      duplicate: 0,
    };
    for (const { state, n } of this.#db
      .read<{ state: DocumentState; n: number }>(
        "SELECT state, count(*) AS n FROM documents WHERE removed_at IS NULL GROUP BY state",
      )
      .all())
      states[state] = n;
    const count = (where: string, ...params: unknown[]) =>
      this.#db
        .read<{ n: number }>(`SELECT count(*) AS n FROM documents d WHERE d.removed_at IS NULL AND ${where}`)
        .get(...params)?.n ?? 0;
    return {
      total: Object.values(states).reduce((sum, n) => sum + n, 0),
      recent: count("d.added_at >= ?", this.#clock.now() - recentMs),
      needYou: count(needYou),
      states,
    };
  }

  /** Adds files or queues those that changed since; tells how many of each. One transaction for the whole batch. */
  addBatch(files: readonly NewDocument[]): { added: string[]; unchanged: string[] } {
    const added: string[] = [];
    const unchanged: string[] = [];
    const now = this.#clock.now();
    this.#db.transaction(() => {
      for (const file of files) {
        const known = this.#db
          .read<{ state: DocumentState; bytes: number; modified_at: number | null; removed_at: number | null }>(
            "SELECT state, bytes, modified_at, removed_at FROM documents WHERE id = ?",
          )
          .get(file.id);
        if (known && known.removed_at === null) {
          const same =
            known.bytes === file.bytes &&
            known.modified_at === file.modifiedAt &&
            known.state !== "cancelled" &&
            known.state !== "failed";
          if (same) {
            unchanged.push(file.id);
            continue;
          }
          this.#db
            .write(
              "UPDATE documents SET state = CASE WHEN state = 'reading' THEN 'reading' ELSE 'waiting' END, error = NULL, queued_at = ?, bytes = ?, modified_at = ? WHERE id = ?",
            )
            .run(now, file.bytes, file.modifiedAt, file.id);
        } else {
          // A removed document that is added again starts anew.
          this.#db.write("DELETE FROM documents WHERE id = ?").run(file.id);
          this.#db
            .write(
              `INSERT INTO documents (id, name, path, collection_id, watched_id, state, queued_at, bytes, modified_at, added_at)
               VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?)`,
            )
            .run(
              file.id,
              file.name,
              file.path,
              file.collectionId,
              file.watchedId,
              now,
              file.bytes,
              file.modifiedAt,
              now,
            );
        }
        added.push(file.id);
      }
    });
    return { added, unchanged };
  }

  keepPasted(id: string, text: string): void {
    this.#db.write("INSERT OR REPLACE INTO pasted_texts (document_id, text) VALUES (?, ?)").run(id, text);
  }

  /** Puts a waiting document at the head of the queue. */
  first(id: string): void {
    this.#db.write("UPDATE documents SET queued_at = 0 WHERE id = ?").run(id);
  }

  pasted(id: string): string | undefined {
    return this.#db.read<{ text: string }>("SELECT text FROM pasted_texts WHERE document_id = ?").get(id)?.text;
  }

  /** Takes the next waiting document for reading; undefined when none waits. */
  takeNext(): DocumentRow | undefined {
    return this.#db.transaction(() => {
      const next = this.#db
        .read<{ id: string }>(
          "SELECT id FROM documents WHERE state = 'waiting' AND removed_at IS NULL ORDER BY queued_at, seq LIMIT 1",
        )
        .get();
      if (!next) return undefined;
      this.#db.write("UPDATE documents SET state = 'reading' WHERE id = ?").run(next.id);
      return this.row(next.id);
    });
  }

  setState(id: string, state: DocumentState, error: ErrorData | null = null): void {
    this.#db
      .write("UPDATE documents SET state = ?, error = ? WHERE id = ?")
      .run(state, error === null ? null : JSON.stringify(error), id);
  }

  /** What was being read when the last run ended is read again. */
  recover(): number {
    return this.#db.write("UPDATE documents SET state = 'waiting' WHERE state = 'reading'").run().changes;
  }

  /** Another readable document with the same bytes, the oldest first. */
  original(hash: string, besides: string): { id: string; name: string } | undefined {
    return this.#db
      .read<{ id: string; name: string }>(
        "SELECT id, name FROM documents WHERE content_hash = ? AND id <> ? AND state = 'ready' AND removed_at IS NULL ORDER BY seq LIMIT 1",
      )
      .get(hash, besides);
  }

  hasTwinSize(bytes: number, besides: string): boolean {
    return (
      this.#db
        .read<{ n: number }>(
          "SELECT 1 AS n FROM documents WHERE bytes = ? AND id <> ? AND state = 'ready' AND removed_at IS NULL LIMIT 1",
        )
        .get(bytes, besides) !== undefined
    );
  }

  markDuplicate(id: string, originalId: string, hash: string): void {
    this.#db
      .write(
        "UPDATE documents SET state = 'duplicate', stored = 0, storing = 0, passages = 0, characters = 0, duplicate_of = ?, content_hash = ?, error = NULL, read_at = ? WHERE id = ?",
      )
      .run(originalId, hash, this.#clock.now(), id);
  }

  /** Documents that were left out as copies of these, to be read once the original is gone. */
  copiesOf(ids: readonly string[]): string[] {
    return this.#db
      .read<{ id: string }>(
        "SELECT id FROM documents WHERE duplicate_of IN (SELECT value FROM json_each(?)) AND state = 'duplicate' AND removed_at IS NULL",
      )
      .all(JSON.stringify(ids))
      .map((row) => row.id);
  }

  requeue(ids: readonly string[], from: readonly DocumentState[]): string[] {
    return this.#changeState(ids, from, "waiting");
  }

  #changeState(ids: readonly string[] | null, from: readonly DocumentState[], to: DocumentState): string[] {
    return this.#db.transaction(() => {
      const found = this.#db
        .read<{ id: string }>(
          `SELECT id FROM documents WHERE removed_at IS NULL AND state IN (SELECT value FROM json_each(?))
           ${ids === null ? "" : "AND id IN (SELECT value FROM json_each(?))"}`,
        )
        .all(JSON.stringify(from), ...(ids === null ? [] : [JSON.stringify(ids)]))
        .map((row) => row.id);
      this.#db
        .write(
          "UPDATE documents SET state = ?, error = NULL, duplicate_of = NULL, queued_at = ? WHERE id IN (SELECT value FROM json_each(?))",
        )
        .run(to, this.#clock.now(), JSON.stringify(found));
      return found;
    });
  }

  pause(ids: readonly string[] | null): string[] {
    return this.#changeState(ids, ["waiting"], "paused");
  }

  resume(ids: readonly string[] | null): string[] {
    return this.#changeState(ids, ["paused"], "waiting");
  }

  /** A document that was readable before goes back to what it was; a new one is cancelled. */
  cancel(ids: readonly string[] | null): string[] {
    return this.#db.transaction(() => {
      const waiting = this.#changeState(ids, ["waiting", "paused"], "cancelled");
      this.#db
        .write("UPDATE documents SET state = 'ready' WHERE stored = 1 AND id IN (SELECT value FROM json_each(?))")
        .run(JSON.stringify(waiting));
      return waiting;
    });
  }
}
