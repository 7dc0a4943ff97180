import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { fate, type Remembered, unscored } from "./forgetting.ts";
import type { OwnedPassageIndex } from "./index/passage-index.ts";
import { type Knowledge, sameInStore } from "./knowledge.ts";
import { sameClaim } from "./statements.ts";

const day = 86_400_000;
/** Rows looked at between two looks at whether the user is back. */
const batch = 50;

export interface Tidied {
  readonly merged: number;
  readonly archived: number;
  readonly forgotten: number;
}

export interface ConsolidationDeps {
  readonly db: WritableDatabase;
  readonly index: OwnedPassageIndex;
  readonly knowledge: Knowledge;
  readonly clock: Clock;
  readonly log: Log;
  /** True while the user or a turn needs the machine: the worker then ends at once and goes on later. */
  readonly busy: () => boolean;
  readonly onBattery: () => boolean;
  /** Whether a living belief rests on this passage alone. */
  readonly soleEvidence: (passageId: string) => boolean;
  /** Work of its own kind that waits for idle time (facts still to be extracted); true when some was done. */
  readonly extract: () => Promise<boolean>;
}

/** How long the user must have been away, and how often at most everything is gone through. */
const idleMs = 60_000;
const everyMs = 6 * 3_600_000;

/** Tidies memory in idle time: extracts facts, merges duplicates, lets go of what is no longer of use. */
export class ConsolidationWorker {
  readonly #deps: ConsolidationDeps;
  #stopped = false;
  #cancel: (() => void) | null = null;
  #running: Promise<unknown> | null = null;

  constructor(deps: ConsolidationDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#deps.clock.after(idleMs, () => {
      this.#running = this.#idle()
        .catch((thrown) => this.#deps.log.warn("memory.tidy-failed", { problem: String(thrown) }))
        .finally(() => {
          this.#running = null;
          this.#schedule();
        });
    });
  }

  async #idle(): Promise<void> {
    if (!this.#mayWork()) return;
    if (await this.#deps.extract()) return;
    const last = this.#deps.db.read<{ at: number }>("SELECT at FROM memory_tidied ORDER BY id DESC LIMIT 1").get();
    const since = this.#deps.clock.now() - (last?.at ?? 0);
    // A clock that was set back must not stop tidying for years.
    if (last && since >= 0 && since < everyMs) return;
    await this.tidy();
  }

  #mayWork(): boolean {
    return !this.#stopped && !this.#deps.busy() && !this.#deps.onBattery();
  }

  /** One pass over everything; ends early, with what it did so far, as soon as the user needs the machine. */
  async tidy(): Promise<Tidied> {
    const merged = await this.#mergeDuplicates();
    const { archived, forgotten } = await this.#letGo();
    this.#deps.knowledge.removeOrphans();
    const result = { merged, archived, forgotten };
    this.#deps.db
      .write("INSERT INTO memory_tidied (at, merged, archived, forgotten) VALUES (?, ?, ?, ?)")
      .run(this.#deps.clock.now(), merged, archived, forgotten);
    this.#deps.log.info("memory.tidied", { ...result });
    return result;
  }

  async #mergeDuplicates(): Promise<number> {
    const { db, index, knowledge } = this.#deps;
    let merged = 0;
    let after = "";
    for (;;) {
      const rows = db
        .read<{ id: string; statement: string; created_at: number }>(
          "SELECT id, statement, created_at FROM knowledge WHERE id > ? AND superseded_by IS NULL ORDER BY id LIMIT ?",
        )
        .all(after, batch);
      if (rows.length === 0) return merged;
      for (const row of rows) {
        if (!this.#mayWork()) return merged;
        after = row.id;
        if (!db.read("SELECT 1 FROM knowledge WHERE id = ? AND superseded_by IS NULL").get(row.id)) continue;
        for (const hit of await index.search(row.statement, {
          filter: { kinds: ["memory"], excludeIds: [row.id] },
          limit: 3,
        })) {
          if ((hit.similarity ?? 0) < sameInStore) continue;
          const other = db
            .read<{ created_at: number }>("SELECT created_at FROM knowledge WHERE id = ? AND superseded_by IS NULL")
            .get(hit.item.id);
          if (!other || pinned(db, hit.item.id) || pinned(db, row.id)) continue;
          if (sameClaim(row.statement, hit.item.text)) knowledge.merge(row.id, hit.item.id);
          else if (other.created_at < row.created_at) knowledge.supersede(hit.item.id, row.id);
          else {
            knowledge.supersede(row.id, hit.item.id);
            merged++;
            break;
          }
          merged++;
        }
      }
    }
  }

  async #letGo(): Promise<{ archived: number; forgotten: number }> {
    const { db, index, clock, soleEvidence } = this.#deps;
    let after = 0;
    let archived = 0;
    let forgotten = 0;
    for (;;) {
      if (!this.#mayWork()) return { archived, forgotten };
      // Documents and feed entries live as long as their owner keeps them; only what was said or learned fades.
      const rows = db
        .read<Fading>(
          `SELECT p.seq, p.id, p.kind, p.at, p.strength, p.archived, s.uses, s.last_used_at, s.pinned, s.signal, s.expires_at
           FROM passages p LEFT JOIN memory_state s ON s.passage_id = p.id
           WHERE p.seq > ? AND p.kind IN ('message', 'memory') ORDER BY p.seq LIMIT ?`,
        )
        .all(after, batch);
      if (rows.length === 0) return { archived, forgotten };
      after = rows.at(-1)!.seq;
      const now = clock.now();
      const toArchive: string[] = [];
      const toForget: string[] = [];
      for (const row of rows) {
        if (row.pinned) continue;
        const expired = row.expires_at !== null && row.expires_at !== undefined && row.expires_at <= now;
        const due = expired ? "forget" : fate(asRemembered(row, now));
        if (due === "keep" || soleEvidence(row.id)) continue;
        // What was said stays in its conversation and searchable by words; only facts are forgotten whole.
        if (due === "forget" && (expired || row.kind === "memory")) toForget.push(row.id);
        else if (!row.archived) toArchive.push(row.id);
      }
      archived += index.archive(toArchive, true);
      index.remove(toForget);
      if (toForget.length > 0) {
        db.write("DELETE FROM knowledge WHERE id IN (SELECT value FROM json_each(?))").run(JSON.stringify(toForget));
      }
      forgotten += toForget.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}

interface Fading {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  readonly strength: number | null;
  readonly archived: number;
  readonly uses: number | null;
  readonly last_used_at: number | null;
  readonly pinned: number | null;
  readonly signal: number | null;
  readonly expires_at: number | null;
}

/** The figures of a row for the forgetting formula. */
export function asRemembered(
  row: Pick<Fading, "at" | "strength" | "uses" | "last_used_at" | "signal">,
  now: number,
): Remembered {
  return {
    uses: row.uses ?? 0,
    strength: row.strength ?? unscored.strength,
    signal: row.signal ?? unscored.signal,
    days: Math.max(0, (now - (row.last_used_at ?? row.at)) / day),
  };
}

function pinned(db: WritableDatabase, id: string): boolean {
  return db.read<{ pinned: number }>("SELECT pinned FROM memory_state WHERE passage_id = ?").get(id)?.pinned === 1;
}
