import type { StandingBelief } from "../contract/index.ts";
import type { PassageIndex } from "../memory/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import type { BeliefPort } from "./ports.ts";
import { indexItem } from "./reader.ts";
import type { DocumentStore } from "./store.ts";
import type { DocumentTexts } from "./texts.ts";

export interface RemovalDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly store: DocumentStore;
  readonly texts: DocumentTexts;
  readonly index: PassageIndex;
  readonly beliefs: BeliefPort | null;
}

const batch = 64;
const yieldNow = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Removing in two steps: out of every list and index at once, and gone for good when nobody can undo it any more. */
export class Removal {
  readonly #deps: RemovalDeps;

  constructor(deps: RemovalDeps) {
    this.#deps = deps;
  }

  async preview(ids: readonly string[]): Promise<{ documents: number; passages: number; beliefs: StandingBelief[] }> {
    const { db, beliefs } = this.#deps;
    const passages = db
      .read<{ id: string }>(
        "SELECT p.id FROM document_passages p JOIN documents d ON d.id = p.document_id WHERE d.removed_at IS NULL AND d.id IN (SELECT value FROM json_each(?))",
      )
      .all(JSON.stringify(ids))
      .map((row) => row.id);
    const documents =
      db
        .read<{ n: number }>(
          "SELECT count(*) AS n FROM documents WHERE removed_at IS NULL AND id IN (SELECT value FROM json_each(?))",
        )
        .get(JSON.stringify(ids))?.n ?? 0;
    return { documents, passages: passages.length, beliefs: beliefs ? await beliefs.standingOn(passages) : [] };
  }

  async remove(ids: readonly string[]): Promise<string[]> {
    const { db, clock, index } = this.#deps;
    const removed: string[] = [];
    for (const id of ids) {
      const { changes } = db
        .write(
          "UPDATE documents SET removed_at = ?, state = CASE WHEN state = 'reading' THEN 'waiting' ELSE state END WHERE id = ? AND removed_at IS NULL",
        )
        .run(clock.now(), id);
      if (changes === 0) continue;
      index.removeSource("document", id);
      removed.push(id);
      if (removed.length % 8 === 0) await yieldNow();
    }
    return removed;
  }

  async restore(ids: readonly string[]): Promise<string[]> {
    const { db, store } = this.#deps;
    const restored: string[] = [];
    for (const id of ids) {
      if (
        db.write("UPDATE documents SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL").run(id).changes === 0
      )
        continue;
      await this.reindex(id);
      restored.push(id);
      store.progress.delete(id);
    }
    return restored;
  }

  /** Puts a document's passages into the index again, with its present name and collection. */
  async reindex(id: string): Promise<void> {
    const { store, texts, index } = this.#deps;
    const row = store.row(id);
    if (!row || row.stored === 0) return;
    for (let from = 0; ; from += batch) {
      const passages = texts.passages(id, from, batch);
      if (passages.length === 0) return;
      index.put(
        passages.map((passage) =>
          indexItem(
            id,
            row.collection_id,
            row,
            { id: passage.id, place: passage.place, path: JSON.parse(passage.path) as string[] },
            texts.slice(id, passage.start, passage.end),
            row.modified_at ?? row.added_at,
            passage.position,
          ),
        ),
      );
      await yieldNow();
    }
  }

  /** Deletes what was removed before: text, passages, pasted copies, and the evidence that stood on them. */
  async purge(): Promise<number> {
    const { db, beliefs, index } = this.#deps;
    const gone = db
      .read<{ id: string }>("SELECT id FROM documents WHERE removed_at IS NOT NULL")
      .all()
      .map((row) => row.id);
    if (gone.length === 0) return 0;
    await beliefs?.forget(gone);
    for (const id of gone) {
      index.removeSource("document", id);
      db.write("DELETE FROM documents WHERE id = ?").run(id);
      await yieldNow();
    }
    return gone.length;
  }
}
