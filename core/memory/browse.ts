import {
  CredenceError,
  type MemoryCounts,
  type MemoryDetail,
  type MemoryEntry,
  type MemoryView,
} from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { ReadableDatabase } from "../storage/index.ts";
import { asRemembered } from "./consolidation.ts";
import { daysKept } from "./forgetting.ts";
import type { OwnedPassageIndex } from "./index/passage-index.ts";
import { type ItemKind, userSpeaker } from "./types.ts";

const day = 86_400_000;

interface Row {
  readonly id: string;
  readonly kind: ItemKind;
  readonly text: string;
  readonly title: string;
  readonly place: string;
  readonly speaker: string;
  readonly at: number;
  readonly archived: number;
  readonly strength: number | null;
  readonly source_id: string;
  readonly pinned: number | null;
  readonly edited: number | null;
  readonly uses: number | null;
  readonly last_used_at: number | null;
  readonly signal: number | null;
  readonly message_id: string | null;
  readonly claim: number | null;
}

const columns = `p.id, p.kind, p.text, p.title, p.place, p.speaker, p.at, p.archived, p.strength, p.source_id,
  s.pinned, s.edited, s.uses, s.last_used_at, s.signal, d.message_id, k.claim`;
const joins = `passages p LEFT JOIN memory_state s ON s.passage_id = p.id LEFT JOIN derivatives d ON d.id = p.id
  LEFT JOIN knowledge k ON k.id = p.id`;
/** What Credence answered is searched, and not listed among what the user may want to look through. */
const listed = `(s.superseded_by IS NULL) AND p.speaker <> 'Credence'`;

const viewSql: Record<MemoryView, string> = {
  everything: "p.archived = 0",
  said: `p.archived = 0 AND p.kind IN ('message', 'memory')`,
  documents: "p.archived = 0 AND p.kind = 'document'",
  feeds: "p.archived = 0 AND p.kind = 'feed'",
  pinned: "s.pinned = 1",
  archived: "p.archived = 1",
};

export interface ListOptions {
  readonly view?: MemoryView | undefined;
  readonly topic?: string | undefined;
  readonly query?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly order?: "newest" | "oldest" | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface BrowseDeps {
  readonly db: ReadableDatabase;
  readonly index: OwnedPassageIndex;
  readonly clock: Clock;
  readonly soleEvidence: (passageId: string) => boolean;
}

/** Reads memory for looking through: pages, counts, and one entry with where it comes from. */
export class Browse {
  readonly #deps: BrowseDeps;

  constructor(deps: BrowseDeps) {
    this.#deps = deps;
  }

  async list(options: ListOptions): Promise<{ entries: MemoryEntry[]; total: number }> {
    const conditions = [listed, viewSql[options.view ?? "everything"]];
    const params: unknown[] = [];
    const add = (sql: string, value: unknown) => {
      conditions.push(sql);
      params.push(value);
    };
    if (options.topic !== undefined)
      add("p.id IN (SELECT passage_id FROM memory_topics WHERE topic = ?)", options.topic);
    if (options.from !== undefined) add("p.at >= ?", options.from);
    if (options.to !== undefined) add("p.at < ?", options.to);
    let order = options.order === "oldest" ? "p.at ASC, p.seq ASC" : "p.at DESC, p.seq DESC";
    const query = options.query?.trim();
    if (query) {
      // The whole list of what was found is filtered by view and topic, then paged in the order of the search.
      const found = await this.#deps.index.search(query, { limit: 500, filter: searchFilter(options) });
      const ids = found.map((hit) => hit.item.id);
      add("p.id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
      order = "(SELECT key FROM json_each(?) WHERE value = p.id)";
      params.push(JSON.stringify(ids));
    }
    const where = conditions.map((condition) => `(${condition})`).join(" AND ");
    const rows = this.#deps.db
      .read<Row>(`SELECT ${columns} FROM ${joins} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .all(...params, options.limit ?? 100, options.offset ?? 0);
    const counted = query ? params.slice(0, -1) : params;
    const total =
      this.#deps.db.read<{ n: number }>(`SELECT count(*) AS n FROM ${joins} WHERE ${where}`).get(...counted)?.n ?? 0;
    return { entries: rows.map(toEntry), total };
  }

  /** One entry. Throws `general.not-found`. */
  entry(id: string): MemoryEntry {
    return toEntry(this.#row(id));
  }

  #row(id: string): Row {
    // What was recalled for an answer is named by its message.
    const row = this.#deps.db
      .read<Row>(
        `SELECT ${columns} FROM ${joins}
         WHERE p.id = coalesce((SELECT id FROM passages WHERE id = ?), (SELECT id FROM derivatives WHERE message_id = ? ORDER BY ordinal LIMIT 1))`,
      )
      .get(id, id);
    if (!row) throw new CredenceError("general.not-found", { what: "memory", id });
    return row;
  }

  detail(id: string): MemoryDetail {
    const { db, clock } = this.#deps;
    const row = this.#row(id);
    const cited = db
      .read<Row>(
        `SELECT ${columns} FROM citations c JOIN passages p ON p.id = c.passage_id LEFT JOIN memory_state s ON s.passage_id = p.id
         LEFT JOIN derivatives d ON d.id = p.id LEFT JOIN knowledge k ON k.id = p.id WHERE c.knowledge_id = ? ORDER BY c.at LIMIT 20`,
      )
      .all(id);
    const original = db.read<{ text: string }>("SELECT text FROM derivatives WHERE id = ?").get(id)?.text;
    const sources = cited.length > 0 ? cited : [{ ...row, text: original ?? row.text }];
    const kept = this.#kept(row, clock.now());
    const questions = db
      .read<{ text: string }>(
        `SELECT parts.text FROM passage_parts parts JOIN passages p ON p.seq = parts.passage
         WHERE p.id = ? AND parts.role = 'question' ORDER BY parts.seq`,
      )
      .all(id)
      .map((part) => part.text);
    return {
      entry: toEntry(row),
      sources: sources.map((source) => ({
        passageId: source.id,
        quote: source.text,
        title: source.title,
        at: source.at,
        kind: source.kind,
        sourceId: source.source_id,
        messageId: source.message_id,
      })),
      topics: db
        .read<{ topic: string }>("SELECT topic FROM memory_topics WHERE passage_id = ? ORDER BY topic")
        .all(id)
        .map((t) => t.topic),
      keptUntil: kept.until,
      why: kept.why,
      questions,
      dismissedIn: db
        .read<{ conversation_id: string }>("SELECT conversation_id FROM memory_dismissed WHERE passage_id = ?")
        .all(id)
        .map((d) => d.conversation_id),
    };
  }

  #kept(row: Row, now: number): { until: number | null; why: string } {
    if (row.kind === "document") return { until: null, why: "Kept for as long as the document is in your library." };
    if (row.kind === "feed") return { until: null, why: "Kept for as long as the feed entry is." };
    if (row.pinned) return { until: null, why: "You pinned it, so it is kept for good." };
    if (this.#deps.soleEvidence(row.id)) return { until: null, why: "A belief rests on it alone, so it is kept." };
    if (row.archived) {
      return {
        until: null,
        why: "Not used for long, so it is found by its words only. Open or pin it to bring it back whole.",
      };
    }
    const days = daysKept(asRemembered(row, now));
    const origin =
      row.speaker === userSpeaker || row.kind === "memory" ? "You said it yourself" : "It was said in a conversation";
    const used = (row.uses ?? 0) > 0 ? "and it was used in answers" : "and it has not been used yet";
    return {
      until: now + days * day,
      why: `${origin}, ${used}. Each use makes it last longer; a pin keeps it for good.`,
    };
  }

  counts(): MemoryCounts {
    const { db, clock, index } = this.#deps;
    const count = (where: string, ...params: unknown[]) =>
      db
        .read<{ n: number }>(
          `SELECT count(*) AS n FROM passages p LEFT JOIN memory_state s ON s.passage_id = p.id WHERE ${listed} AND ${where}`,
        )
        .get(...params)?.n ?? 0;
    const now = clock.now();
    const tidied = db
      .read<{ at: number; merged: number; archived: number; forgotten: number }>(
        "SELECT at, merged, archived, forgotten FROM memory_tidied ORDER BY id DESC LIMIT 1",
      )
      .get();
    const progress = index.progress();
    return {
      everything: count(viewSql.everything),
      said: count(viewSql.said),
      documents: count(viewSql.documents),
      feeds: count(viewSql.feeds),
      pinned: count(viewSql.pinned),
      archived: count(viewSql.archived),
      thisWeek: count("p.archived = 0 AND p.at >= ?", now - 7 * day),
      thisYear: count("p.archived = 0 AND p.at >= ?", Date.UTC(new Date(now).getUTCFullYear(), 0, 1)),
      topics: db
        .read<{ topic: string; count: number }>(
          "SELECT topic, count(*) AS count FROM memory_topics GROUP BY topic ORDER BY count DESC, topic LIMIT 50",
        )
        .all(),
      tidied: tidied ?? null,
      waiting: index.pending(),
      rebuilding: progress?.rebuilding ? { done: progress.done, total: progress.total, paused: progress.paused } : null,
      meaning: progress !== null && index.breaker.state === "closed",
    };
  }
}

function searchFilter(options: ListOptions): { kinds?: ItemKind[]; from?: number; to?: number } {
  const kinds: ItemKind[] | undefined =
    options.view === "documents"
      ? ["document"]
      : options.view === "feeds"
        ? ["feed"]
        : options.view === "said"
          ? ["message", "memory"]
          : undefined;
  return {
    ...(kinds ? { kinds } : {}),
    ...(options.from !== undefined ? { from: options.from } : {}),
    ...(options.to !== undefined ? { to: options.to } : {}),
  };
}

function toEntry(row: Row): MemoryEntry {
  return {
    id: row.id,
    kind: row.kind,
    text: row.text.slice(0, 4000),
    title: row.title,
    place: row.place,
    speaker: row.speaker,
    at: row.at,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    claim: row.claim === 1,
    edited: row.edited === 1,
    strength: row.strength,
    uses: row.uses ?? 0,
    lastUsedAt: row.last_used_at,
    sourceId: row.source_id,
    messageId: row.message_id,
  };
}
