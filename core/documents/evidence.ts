import type { WritableDatabase } from "../storage/index.ts";
import type { EvidencePort } from "./ports.ts";
import type { DocumentTexts } from "./texts.ts";

interface WaitingRow {
  readonly seq: number;
  readonly id: string;
  readonly document_id: string;
  readonly start: number;
  readonly end: number;
  readonly place: string;
  readonly name: string;
  readonly collection: string | null;
  readonly at: number;
}

/**
 * Hands passages of documents that may move beliefs to the ingest queue, as far as it has room. Which passages are
 * worth it was decided at reading; whether their document may move beliefs is asked anew each time.
 */
export class EvidenceFeed {
  readonly #db: WritableDatabase;
  readonly #texts: DocumentTexts;
  readonly #port: EvidencePort | null;

  constructor(db: WritableDatabase, texts: DocumentTexts, port: EvidencePort | null) {
    this.#db = db;
    this.#texts = texts;
    this.#port = port;
  }

  /** Offers what fits now; returns how many were taken. */
  drain(most = 16): number {
    const port = this.#port;
    if (!port?.hasRoom()) return 0;
    const rows = this.#db
      .read<WaitingRow>(
        `SELECT p.seq, p.id, p.document_id, p.start, p."end", p.place, d.name, c.name AS collection, coalesce(d.modified_at, d.added_at) AS at
         FROM document_passages p JOIN documents d ON d.id = p.document_id LEFT JOIN collections c ON c.id = d.collection_id
         WHERE p.evidence = 'waiting' AND d.removed_at IS NULL AND d.state = 'ready' AND coalesce(d.moves_beliefs, c.moves_beliefs, 0) = 1
         ORDER BY p.seq LIMIT ?`,
      )
      .all(most);
    let taken = 0;
    for (const row of rows) {
      if (!port.hasRoom()) break;
      port.offer({
        passageId: row.id,
        documentId: row.document_id,
        title: `${row.name}, ${row.place}`,
        from: row.collection ?? "Library",
        text: this.#texts.slice(row.document_id, row.start, row.end),
        at: row.at,
      });
      this.#db.write("UPDATE document_passages SET evidence = 'offered' WHERE seq = ?").run(row.seq);
      taken++;
    }
    return taken;
  }
}
