import { createHash } from "node:crypto";
import type { EntryFilter, Feed, FeedEntry, FeedEntryRow } from "../contract/index.ts";
import { CredenceError } from "../contract/index.ts";
import type { ParsedEntry, ParsedFeed } from "../parsing/index.ts";
import { type Clock, contentId, newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type CountedFeedRow, type EntryRow, type FeedRow, toEntry, toEntryRow, toFeed } from "./rows.ts";

const DAY = 86_400_000;
/** An entry whose date lies further ahead than a clock may be wrong is dated by when it was first seen. */
const FUTURE = DAY;
/** Entries that have left their feed are kept this long, unless starred, unread or needed as evidence. */
const KEEP_DAYS = 90;
const KEEP_PER_FEED = 500;
/** Words kept for search and evidence; the whole entry stays readable. */
const MAX_TEXT = 200_000;

export interface NewFeed {
  readonly url: string | null;
  readonly title: string;
  readonly homePage?: string | null;
  readonly folder?: string;
  readonly byHand?: boolean;
}

export interface StoredEntries {
  readonly added: readonly string[];
  /** Ids whose words changed since they were stored. */
  readonly changed: readonly string[];
}

const COUNTED = `
  SELECT f.*, (SELECT count(*) FROM feed_entries e WHERE e.feed_id = f.id AND e.read = 0) AS unread,
    (SELECT count(*) FROM feed_entries e WHERE e.feed_id = f.id) AS entries FROM feeds f`;

const ENTRY = `
  SELECT e.*, coalesce(f.custom_title, f.title) AS feed_title FROM feed_entries e JOIN feeds f ON f.id = e.feed_id AND f.deleted_at IS NULL`;

/** Subscriptions and entries in the database. Knows no network and no schedule. */
export class FeedStore {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;
  readonly #evidenceOf: (entryId: string) => FeedEntryRow["evidence"];
  readonly #evidenceIds: () => readonly string[];
  readonly refreshing = new Set<string>();

  constructor(deps: {
    db: WritableDatabase;
    clock: Clock;
    evidenceOf?: (entryId: string) => FeedEntryRow["evidence"];
    /** Entries that beliefs stand on. */
    evidenceIds?: () => readonly string[];
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#evidenceOf = deps.evidenceOf ?? (() => null);
    this.#evidenceIds = deps.evidenceIds ?? (() => []);
  }

  list(): Feed[] {
    return this.#db
      .read<CountedFeedRow>(
        `${COUNTED} WHERE f.deleted_at IS NULL ORDER BY f.folder, coalesce(f.custom_title, f.title) COLLATE NOCASE`,
      )
      .all()
      .map((row) => toFeed(row, this.refreshing.has(row.id)));
  }

  get(id: string): Feed {
    const row = this.#db.read<CountedFeedRow>(`${COUNTED} WHERE f.id = ? AND f.deleted_at IS NULL`).get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "feed", id });
    return toFeed(row, this.refreshing.has(id));
  }

  row(id: string): FeedRow | null {
    return this.#db.read<FeedRow>("SELECT * FROM feeds WHERE id = ? AND deleted_at IS NULL").get(id) ?? null;
  }

  byUrl(url: string): Feed | null {
    const row = this.#db
      .read<{ id: string; deleted_at: number | null }>("SELECT id, deleted_at FROM feeds WHERE url = ?")
      .get(url);
    return row && row.deleted_at === null ? this.get(row.id) : null;
  }

  /** Adds a subscription. One that was removed and not yet purged comes back instead. */
  add(feed: NewFeed): Feed {
    const now = this.#clock.now();
    const removed = feed.url
      ? this.#db.read<{ id: string }>("SELECT id FROM feeds WHERE url = ? AND deleted_at IS NOT NULL").get(feed.url)
      : undefined;
    if (removed) return this.restore(removed.id);
    const id = newId("feed", now);
    this.#db
      .write(
        "INSERT INTO feeds (id, url, title, home_page, folder, by_hand, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        id,
        feed.url,
        feed.title,
        feed.homePage ?? null,
        feed.folder ?? "",
        feed.byHand ? 1 : 0,
        feed.url ? now : null,
        now,
      );
    return this.get(id);
  }

  update(
    id: string,
    change: Partial<Pick<Feed, "title" | "folder" | "intervalMinutes" | "paused" | "mayMoveBeliefs" | "fullText">>,
  ): Feed {
    this.get(id);
    const columns: [string, unknown][] = [];
    if (change.title !== undefined) columns.push(["custom_title", change.title.trim() || null]);
    if (change.folder !== undefined) columns.push(["folder", change.folder.trim()]);
    if (change.intervalMinutes !== undefined) columns.push(["interval_minutes", change.intervalMinutes]);
    if (change.paused !== undefined) columns.push(["paused", change.paused ? 1 : 0]);
    if (change.mayMoveBeliefs !== undefined) columns.push(["may_move_beliefs", change.mayMoveBeliefs ? 1 : 0]);
    if (change.fullText !== undefined) columns.push(["full_text", change.fullText ? 1 : 0]);
    this.#db.transaction(() => {
      for (const [column, value] of columns)
        this.#db.write(`UPDATE feeds SET ${column} = ? WHERE id = ?`).run(value, id);
    });
    return this.get(id);
  }

  remove(id: string): void {
    this.get(id);
    this.#db.write("UPDATE feeds SET deleted_at = ? WHERE id = ?").run(this.#clock.now(), id);
  }

  restore(id: string): Feed {
    this.#db.write("UPDATE feeds SET deleted_at = NULL WHERE id = ?").run(id);
    return this.get(id);
  }

  /** Removes for good what was removed; returns the ids of entries that went with it. */
  purgeRemoved(): string[] {
    const gone = this.#db
      .read<{ id: string }>(
        "SELECT e.id FROM feed_entries e JOIN feeds f ON f.id = e.feed_id WHERE f.deleted_at IS NOT NULL",
      )
      .all();
    this.#db.transaction(() => this.#db.write("DELETE FROM feeds WHERE deleted_at IS NOT NULL").run());
    return gone.map((row) => row.id);
  }

  due(now: number): FeedRow[] {
    return this.#db
      .read<FeedRow>(
        "SELECT * FROM feeds WHERE paused = 0 AND deleted_at IS NULL AND url IS NOT NULL AND state <> 'gone' AND next_at <= ? ORDER BY next_at",
      )
      .all(now);
  }

  /** Records how a request ended and when the next one is due. */
  settle(
    id: string,
    outcome: {
      state: Feed["state"];
      problem: string | null;
      failures: number;
      nextAt: number | null;
      etag?: string | null;
      lastModified?: string | null;
    },
  ): void {
    const now = this.#clock.now();
    this.#db
      .write(
        "UPDATE feeds SET state = ?, problem = ?, failures = ?, next_at = ?, checked_at = ?, succeeded_at = CASE WHEN ? = 'ok' THEN ? ELSE succeeded_at END WHERE id = ?",
      )
      .run(outcome.state, outcome.problem, outcome.failures, outcome.nextAt, now, outcome.state, now, id);
    if (outcome.etag !== undefined) {
      this.#db
        .write("UPDATE feeds SET etag = ?, last_modified = ? WHERE id = ?")
        .run(outcome.etag, outcome.lastModified ?? null, id);
    }
  }

  /** Takes over a permanent new address, unless another subscription has it already. */
  move(id: string, url: string): boolean {
    if (this.#db.read("SELECT 1 FROM feeds WHERE url = ? AND id <> ?").get(url, id)) return false;
    this.#db.write("UPDATE feeds SET url = ? WHERE id = ?").run(url, id);
    return true;
  }

  /** Stores what a feed holds now, in one transaction: new entries are added, changed ones replaced, reading state kept. */
  storeParsed(feedId: string, parsed: ParsedFeed): StoredEntries {
    const now = this.#clock.now();
    const added: string[] = [];
    const changed: string[] = [];
    this.#db.transaction(() => {
      this.#db
        .write(
          "UPDATE feeds SET title = CASE WHEN ? <> '' THEN ? ELSE title END, home_page = coalesce(?, home_page), description = ? WHERE id = ?",
        )
        .run(parsed.title, parsed.title, parsed.homePage, parsed.description, feedId);
      this.#db.write("UPDATE feed_entries SET in_feed = 0 WHERE feed_id = ? AND in_feed = 1").run(feedId);
      // Oldest last in the document, so that equal times keep the feed's order.
      for (const entry of [...parsed.entries].reverse()) {
        const outcome = this.#storeEntry(feedId, entry, now);
        if (outcome.state === "added") added.push(outcome.id);
        if (outcome.state === "changed") changed.push(outcome.id);
      }
    });
    return { added, changed };
  }

  #storeEntry(feedId: string, entry: ParsedEntry, now: number): { id: string; state: "added" | "changed" | "same" } {
    const hash = createHash("sha256")
      .update(JSON.stringify([entry.title, entry.link, entry.summary, entry.content, entry.enclosures]))
      .digest("base64");
    const known = this.#db
      .read<{ id: string; hash: string; in_feed: number }>(
        "SELECT id, hash, in_feed FROM feed_entries WHERE feed_id = ? AND key = ?",
      )
      .get(feedId, entry.id);
    if (known) {
      // The same entry may stand twice in one document.
      if (known.in_feed === 0) this.#db.write("UPDATE feed_entries SET in_feed = 1 WHERE id = ?").run(known.id);
      if (known.hash === hash) return { id: known.id, state: "same" };
      this.#db
        .write(
          "UPDATE feed_entries SET title = ?, link = ?, author = ?, updated_at = ?, summary = ?, content = ?, text = ?, categories = ?, enclosures = ?, hash = ? WHERE id = ?",
        )
        .run(
          entry.title,
          entry.link,
          entry.author,
          entry.updated?.at ?? now,
          entry.summary,
          entry.content,
          entry.text.slice(0, MAX_TEXT),
          JSON.stringify(entry.categories),
          JSON.stringify(entry.enclosures),
          hash,
          known.id,
        );
      return { id: known.id, state: "changed" };
    }
    const id = contentId("entry", feedId, entry.id);
    const published = entry.published?.at ?? entry.updated?.at ?? null;
    const at = published === null || published > now + FUTURE || published <= 0 ? now : Math.min(published, now);
    this.#db
      .write(
        `INSERT INTO feed_entries (id, feed_id, key, title, link, author, at, published_raw, updated_at, first_seen_at, summary, content, text, categories, enclosures, hash)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        feedId,
        entry.id,
        entry.title,
        entry.link,
        entry.author,
        at,
        (entry.published ?? entry.updated)?.raw ?? null,
        entry.updated?.at ?? null,
        now,
        entry.summary,
        entry.content,
        entry.text.slice(0, MAX_TEXT),
        JSON.stringify(entry.categories),
        JSON.stringify(entry.enclosures),
        hash,
      );
    return { id, state: "added" };
  }

  entries(
    filter: EntryFilter,
    before: { at: number; id: string } | null,
    limit: number,
  ): { entries: FeedEntryRow[]; total: number } {
    const { where, params } = conditions(filter, this.#evidenceIds);
    const total = this.#db
      .read<{ n: number }>(
        `SELECT count(*) AS n FROM feed_entries e JOIN feeds f ON f.id = e.feed_id AND f.deleted_at IS NULL ${where}`,
      )
      .get(...params)!.n;
    const bound = before ? `${where ? `${where} AND` : "WHERE"} (e.at, e.id) < (?, ?)` : where;
    const rows = this.#db
      .read<EntryRow>(`${ENTRY} ${bound} ORDER BY e.at DESC, e.id DESC LIMIT ?`)
      .all(...params, ...(before ? [before.at, before.id] : []), limit);
    return { entries: rows.map((row) => toEntryRow(row, this.#evidenceOf(row.id))), total };
  }

  entry(id: string): FeedEntry {
    return toEntry(this.entryRow(id), this.#evidenceOf(id));
  }

  entryRow(id: string): EntryRow {
    const row = this.#db.read<EntryRow>(`${ENTRY} WHERE e.id = ?`).get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "entry", id });
    return row;
  }

  setFullText(id: string, article: { readonly html: string; readonly text: string }): void {
    this.#db
      .write("UPDATE feed_entries SET full_text = ?, text = ? WHERE id = ?")
      .run(article.html, article.text.slice(0, MAX_TEXT), id);
  }

  markRead(ids: readonly string[], read: boolean): void {
    this.#db.transaction(() => {
      for (const id of ids) this.#db.write("UPDATE feed_entries SET read = ? WHERE id = ?").run(read ? 1 : 0, id);
    });
  }

  markOlderRead(filter: EntryFilter, before: number): string[] {
    const { where, params } = conditions({ ...filter, unread: true }, this.#evidenceIds);
    const rows = this.#db
      .read<{ id: string }>(
        `SELECT e.id FROM feed_entries e JOIN feeds f ON f.id = e.feed_id AND f.deleted_at IS NULL ${where} AND e.at <= ?`,
      )
      .all(...params, before);
    const ids = rows.map((row) => row.id);
    this.markRead(ids, true);
    return ids;
  }

  star(id: string, starred: boolean): void {
    this.entryRow(id);
    this.#db.write("UPDATE feed_entries SET starred = ? WHERE id = ?").run(starred ? 1 : 0, id);
  }

  /** Entries not yet offered as evidence, oldest first, of feeds that may move beliefs. */
  toOffer(limit: number): EntryRow[] {
    return this.#db
      .read<EntryRow>(`${ENTRY} WHERE e.offered = 0 AND f.may_move_beliefs = 1 ORDER BY e.seq LIMIT ?`)
      .all(limit);
  }

  markOffered(id: string): void {
    this.#db.write("UPDATE feed_entries SET offered = 1 WHERE id = ?").run(id);
  }

  /** What is there already when a feed is allowed to move beliefs is not evidence that just came in: it is passed over. */
  passOver(feedId: string): void {
    this.#db.write("UPDATE feed_entries SET offered = 1 WHERE feed_id = ? AND offered = 0").run(feedId);
  }

  counts(): { unread: number; starred: number; moved: number } {
    const moved = this.entries({ moved: true }, null, 1).total;
    const counted = this.#db
      .read<{ unread: number; starred: number }>(
        "SELECT coalesce(sum(e.read = 0), 0) AS unread, coalesce(sum(e.starred = 1), 0) AS starred FROM feed_entries e JOIN feeds f ON f.id = e.feed_id AND f.deleted_at IS NULL",
      )
      .get()!;
    return { ...counted, moved };
  }

  /**
   * Lets go of old entries so that a profile does not grow for ever: those that left their feed, are read, not starred
   * and not needed as evidence, beyond 90 days or beyond the newest 500 of their feed. Returns their ids.
   */
  prune(feedId: string, isEvidence: (entryId: string) => boolean): string[] {
    const limit = this.#clock.now() - KEEP_DAYS * DAY;
    const rows = this.#db
      .read<{ id: string }>(
        `SELECT id FROM (
           SELECT id, read, starred, in_feed, first_seen_at, row_number() OVER (ORDER BY at DESC, seq DESC) AS place FROM feed_entries WHERE feed_id = ?
         ) WHERE in_feed = 0 AND starred = 0 AND ((read = 1 AND first_seen_at < ?) OR place > ?)`,
      )
      .all(feedId, limit, KEEP_PER_FEED);
    const ids = rows.map((row) => row.id).filter((id) => !isEvidence(id));
    this.#db.transaction(() => {
      for (const id of ids) this.#db.write("DELETE FROM feed_entries WHERE id = ?").run(id);
    });
    return ids;
  }
}

function conditions(filter: EntryFilter, evidenceIds: () => readonly string[]): { where: string; params: unknown[] } {
  const parts: string[] = [];
  const params: unknown[] = [];
  if (filter.feedId !== undefined) {
    parts.push("e.feed_id = ?");
    params.push(filter.feedId);
  }
  if (filter.folder !== undefined) {
    parts.push("(f.folder = ? OR f.folder LIKE ? ESCAPE '\\')");
    params.push(filter.folder, `${escapeLike(filter.folder)} / %`);
  }
  if (filter.unread) parts.push("e.read = 0");
  if (filter.starred) parts.push("e.starred = 1");
  if (filter.moved) {
    parts.push("e.id IN (SELECT value FROM json_each(?))");
    params.push(JSON.stringify(evidenceIds()));
  }
  for (const word of (filter.query ?? "").split(/\s+/).filter(Boolean)) {
    parts.push("(e.title LIKE ? ESCAPE '\\' OR e.text LIKE ? ESCAPE '\\')");
    const like = `%${escapeLike(word)}%`;
    params.push(like, like);
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "", params };
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
