import { CredenceError } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type PassageRow, passageColumns, toItem } from "./index/rows.ts";
import type { IndexItem, PassageIndex } from "./types.ts";

interface Kept {
  readonly item: IndexItem;
  readonly topics: readonly string[];
}

/** What the user decides about memory: edit, pin, delete with undo, do not use here again. */
export class Edit {
  readonly #db: WritableDatabase;
  readonly #index: PassageIndex;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, index: PassageIndex, clock: Clock) {
    this.#db = db;
    this.#index = index;
    this.#clock = clock;
  }

  #item(id: string): IndexItem {
    const row = this.#db.read<PassageRow>(`SELECT ${passageColumns} FROM passages p WHERE p.id = ?`).get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "memory", id });
    const parts = this.#db
      .read<{ role: "window" | "sentence" | "question"; text: string }>(
        "SELECT role, text FROM passage_parts WHERE passage = ? AND text IS NOT NULL",
      )
      .all(row.seq);
    return { ...toItem(row), parts };
  }

  #set(id: string, column: "pinned" | "edited" | "deleted_at" | "kept" | "expires_at", value: unknown): void {
    this.#db
      .write(
        `INSERT INTO memory_state (passage_id, ${column}) VALUES (?, ?)
         ON CONFLICT (passage_id) DO UPDATE SET ${column} = excluded.${column}`,
      )
      .run(id, value);
  }

  /** Changes what is remembered; the message or document it came from stays as it is. */
  edit(id: string, text: string): void {
    const item = this.#item(id);
    if (item.kind === "document" || item.kind === "feed")
      throw new CredenceError("memory.not-editable", { kind: item.kind });
    this.#db.transaction(() => {
      this.#index.put([
        { ...item, text: text.trim(), parts: (item.parts ?? []).filter((part) => part.role === "window") },
      ]);
      this.#db
        .write("UPDATE knowledge SET statement = ?, updated_at = ? WHERE id = ?")
        .run(text.trim(), this.#clock.now(), id);
      this.#set(id, "edited", 1);
    });
  }

  pin(id: string, pinned: boolean): void {
    this.#item(id);
    this.#set(id, "pinned", pinned ? 1 : 0);
  }

  /** Takes entries out of memory at once; `undelete` brings them back until `purge`. Unknown ids are passed over. */
  delete(ids: readonly string[]): void {
    this.#db.transaction(() => {
      for (const id of ids) {
        const row = this.#db.read("SELECT 1 FROM passages WHERE id = ?").get(id);
        if (!row) continue;
        const topics = this.#db.read<{ topic: string }>("SELECT topic FROM memory_topics WHERE passage_id = ?").all(id);
        const kept: Kept = { item: this.#item(id), topics: topics.map((t) => t.topic) };
        this.#set(id, "kept", JSON.stringify(kept));
        this.#set(id, "deleted_at", this.#clock.now());
        this.#db.write("DELETE FROM memory_topics WHERE passage_id = ?").run(id);
      }
      this.#index.remove(ids);
    });
  }

  undelete(ids: readonly string[]): void {
    this.#db.transaction(() => {
      for (const id of ids) {
        const row = this.#db
          .read<{ kept: string | null }>(
            "SELECT kept FROM memory_state WHERE passage_id = ? AND deleted_at IS NOT NULL",
          )
          .get(id);
        if (!row?.kept) continue;
        const kept = JSON.parse(row.kept) as Kept;
        this.#index.put([kept.item]);
        for (const topic of kept.topics) {
          this.#db.write("INSERT OR IGNORE INTO memory_topics (passage_id, topic) VALUES (?, ?)").run(id, topic);
        }
        this.#set(id, "deleted_at", null);
        this.#set(id, "kept", null);
      }
    });
  }

  /** Ends the time for undo: the words of deleted entries go for good; that they were deleted stays known. */
  purge(): void {
    this.#db.write("UPDATE memory_state SET kept = NULL WHERE deleted_at IS NOT NULL").run();
    this.#db
      .write("DELETE FROM knowledge WHERE id IN (SELECT passage_id FROM memory_state WHERE deleted_at IS NOT NULL)")
      .run();
    this.#db
      .write(
        "UPDATE derivatives SET text = '' WHERE id IN (SELECT passage_id FROM memory_state WHERE deleted_at IS NOT NULL)",
      )
      .run();
  }

  /** Not to be recalled in this conversation. `sourceId` names a passage, a message or a feed entry. */
  dismiss(conversationId: string, sourceId: string, dismissed: boolean): void {
    const ids = this.#db
      .read<{ id: string }>(
        `SELECT id FROM passages WHERE id = ? UNION SELECT id FROM derivatives WHERE message_id = ?
         UNION SELECT id FROM passages WHERE source_id = ? AND kind = 'feed'`,
      )
      .all(sourceId, sourceId, sourceId)
      .map((row) => row.id);
    if (ids.length === 0) throw new CredenceError("general.not-found", { what: "memory", id: sourceId });
    this.#db.transaction(() => {
      for (const id of ids) {
        if (dismissed) {
          this.#db
            .write("INSERT OR IGNORE INTO memory_dismissed (conversation_id, passage_id, at) VALUES (?, ?, ?)")
            .run(conversationId, id, this.#clock.now());
        } else {
          this.#db
            .write("DELETE FROM memory_dismissed WHERE conversation_id = ? AND passage_id = ?")
            .run(conversationId, id);
        }
      }
    });
  }
}
