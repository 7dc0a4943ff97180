import { type Collection, CredenceError, type WatchedFolder } from "../contract/index.ts";
import { type Clock, contentId, newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

/** Collections and watched folders: how documents are grouped, and whether a group may move beliefs. */
export class Collections {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  list(): Collection[] {
    return this.#db
      .read<{ id: string; name: string; moves_beliefs: number; documents: number }>(
        `SELECT id, name, moves_beliefs, (SELECT count(*) FROM documents d WHERE d.collection_id = c.id AND d.removed_at IS NULL) AS documents
         FROM collections c ORDER BY name COLLATE NOCASE, created_at`,
      )
      .all()
      .map((row) => ({
        id: row.id,
        name: row.name,
        documents: row.documents,
        mayMoveBeliefs: row.moves_beliefs === 1,
      }));
  }

  get(id: string): Collection {
    const found = this.list().find((collection) => collection.id === id);
    if (!found) throw new CredenceError("documents.no-collection", { id });
    return found;
  }

  name(id: string | null): string | null {
    return id === null
      ? null
      : (this.#db.read<{ name: string }>("SELECT name FROM collections WHERE id = ?").get(id)?.name ?? null);
  }

  create(name: string, mayMoveBeliefs: boolean): Collection {
    const id = newId("col", this.#clock.now());
    this.#db
      .write("INSERT INTO collections (id, name, moves_beliefs, created_at) VALUES (?, ?, ?, ?)")
      .run(id, name.trim(), mayMoveBeliefs ? 1 : 0, this.#clock.now());
    return this.get(id);
  }

  change(id: string, change: { name?: string | undefined; mayMoveBeliefs?: boolean | undefined }): Collection {
    const before = this.get(id);
    this.#db
      .write("UPDATE collections SET name = ?, moves_beliefs = ? WHERE id = ?")
      .run(change.name?.trim() ?? before.name, (change.mayMoveBeliefs ?? before.mayMoveBeliefs) ? 1 : 0, id);
    return this.get(id);
  }

  /** Its documents stay, in no collection; returns them. */
  delete(id: string): string[] {
    this.get(id);
    return this.#db.transaction(() => {
      const members = this.members(id);
      this.#db.write("DELETE FROM collections WHERE id = ?").run(id);
      return members;
    });
  }

  members(id: string): string[] {
    return this.#db
      .read<{ id: string }>("SELECT id FROM documents WHERE collection_id = ?")
      .all(id)
      .map((row) => row.id);
  }

  watched(): Omit<WatchedFolder, "problem">[] {
    return this.#db
      .read<{ id: string; path: string; collection_id: string | null; documents: number }>(
        `SELECT id, path, collection_id, (SELECT count(*) FROM documents d WHERE d.watched_id = w.id AND d.removed_at IS NULL) AS documents
         FROM watched_folders w ORDER BY created_at`,
      )
      .all()
      .map((row) => ({
        id: row.id,
        path: row.path,
        name:
          row.path
            .split(/[\\/]/)
            .filter((part) => part !== "")
            .at(-1) ?? row.path,
        collectionId: row.collection_id,
        documents: row.documents,
      }));
  }

  addWatched(path: string, collectionId: string | null): string {
    const id = contentId("watch", path);
    this.#db
      .write(
        "INSERT INTO watched_folders (id, path, collection_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET collection_id = excluded.collection_id",
      )
      .run(id, path, collectionId, this.#clock.now());
    return id;
  }

  removeWatched(id: string): void {
    this.#db.write("DELETE FROM watched_folders WHERE id = ?").run(id);
  }
}
