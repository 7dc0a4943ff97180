import { open } from "node:fs/promises";
import { basename } from "node:path";
import {
  CredenceError,
  errorFromData,
  type Feed,
  type FeedEntry,
  isCredenceError,
  type Result,
} from "../contract/index.ts";
import type { IndexItem, PassageIndex } from "../memory/types.ts";
import { type OpmlFeed, type ParsedFeed, writeOpml } from "../parsing/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { pictureAddress } from "./picture.ts";
import type { FeedParser, FetchFeed, FetchOutcome } from "./ports.ts";
import { FeedRefresher, readAddress } from "./refresh.ts";
import type { EntryRow } from "./rows.ts";
import { FeedStore, type StoredEntries } from "./store.ts";

const MAX_FILE = 64 * 1024 * 1024;
const OFFERED_AT_ONCE = 64;
/** Pages fetched for one refresh of one feed: a guest does not ask for a whole archive. */
const FULL_TEXTS_AT_ONCE = 20;

export interface FeedsDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: FetchFeed;
  readonly parser: FeedParser;
  /** Bytes of one picture, for the purpose "images in feeds". Throws the errors of egress. */
  readonly fetchPicture: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly index: PassageIndex;
  /** Cuts a text into pieces that the embedder takes whole. */
  readonly split: (text: string) => readonly string[];
  /** Whether the user agreed to requests for feeds. */
  readonly allowed: () => boolean;
  /** Offers an entry of a feed that may move beliefs to the ingest queue; false when the queue has no room now. */
  readonly offer?: (entry: OfferedEntry) => boolean;
  readonly evidenceOf?: (entryId: string) => FeedEntry["evidence"];
  readonly isEvidence?: (entryId: string) => boolean;
  /** Entries that beliefs stand on, for the list of those that moved one. */
  readonly evidenceIds?: () => readonly string[];
  /** Entries that are gone for good: what stood on them is worked out anew. */
  readonly onForgotten?: (entryIds: readonly string[]) => void;
  readonly onChanged?: (feedIds: readonly string[]) => void;
  readonly chance?: () => number;
}

export interface OfferedEntry {
  readonly entryId: string;
  readonly feedId: string;
  readonly feedTitle: string;
  readonly title: string;
  readonly text: string;
  readonly at: number;
}

/** The feed panel's model: subscriptions, entries, requests by consent, and what of them reaches the memory. */
export class Feeds {
  readonly store: FeedStore;
  readonly refresher: FeedRefresher;
  readonly #deps: FeedsDeps;
  readonly #changed: (feedIds: readonly string[]) => void;
  readonly #stop = new AbortController();
  #fullTexts: Promise<void> = Promise.resolve();

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
    this.#changed = deps.onChanged ?? (() => {});
    this.store = new FeedStore({
      db: deps.db,
      clock: deps.clock,
      ...(deps.evidenceOf ? { evidenceOf: deps.evidenceOf } : {}),
      ...(deps.evidenceIds ? { evidenceIds: deps.evidenceIds } : {}),
    });
    this.refresher = new FeedRefresher({
      store: this.store,
      fetch: deps.fetch,
      parser: deps.parser,
      clock: deps.clock,
      log: deps.log,
      chance: deps.chance ?? Math.random,
      onStored: (feedId, entries) => this.#remember(feedId, entries),
      onChanged: this.#changed,
      onPruned: (ids) => this.#forget(ids),
      isEvidence: deps.isEvidence ?? (() => false),
    });
  }

  overview(): Result<"feeds.list"> {
    return {
      feeds: this.store.list(),
      ...this.store.counts(),
      allowed: this.#deps.allowed(),
      online: this.refresher.online,
    };
  }

  /** Follows the feed at an address, or the one that the page there links to. Without a network it is followed unseen. */
  async add(address: string, folder: string, signal: AbortSignal): Promise<Result<"feeds.add">> {
    const url = readAddress(address);
    this.#refuseKnown(url);
    const answer = await this.#deps.fetch({ url, etag: null, lastModified: null, byHand: true, signal });
    if (answer.kind === "offline") {
      this.refresher.online = false;
      return { outcome: "added", feed: this.#added({ url, title: "", folder }) };
    }
    if (answer.kind !== "ok") throw refusal(answer, address);
    try {
      const parsed = await this.#deps.parser.feed(
        { bytes: answer.bytes, url: answer.url, contentType: answer.contentType },
        signal,
      );
      return { outcome: "added", feed: this.#follow(answer.movedTo ?? url, folder, answer, parsed) };
    } catch (thrown) {
      if (!isCredenceError(thrown, "feeds.not-a-feed")) throw thrown;
      return this.#addFromPage(address, folder, answer, signal);
    }
  }

  async #addFromPage(
    address: string,
    folder: string,
    page: Extract<FetchOutcome, { kind: "ok" }>,
    signal: AbortSignal,
  ): Promise<Result<"feeds.add">> {
    const found = await this.#deps.parser.discover(page, signal);
    const [only] = found;
    if (!only) throw new CredenceError("feeds.none-found", { address });
    if (found.length > 1) return { outcome: "choose", found: [...found] };
    this.#refuseKnown(only.url);
    const answer = await this.#deps.fetch({ url: only.url, etag: null, lastModified: null, byHand: true, signal });
    if (answer.kind !== "ok") throw refusal(answer, only.url);
    const parsed = await this.#deps.parser.feed(
      { bytes: answer.bytes, url: answer.url, contentType: answer.contentType },
      signal,
    );
    return { outcome: "added", feed: this.#follow(answer.movedTo ?? only.url, folder, answer, parsed) };
  }

  #follow(url: string, folder: string, answer: Extract<FetchOutcome, { kind: "ok" }>, parsed: ParsedFeed): Feed {
    this.#refuseKnown(url);
    const feed = this.#added({ url, title: parsed.title, folder });
    const stored = this.store.storeParsed(feed.id, parsed);
    const interval = feed.intervalMinutes * 60_000;
    this.store.settle(feed.id, {
      state: "ok",
      problem: null,
      failures: 0,
      nextAt: this.#deps.clock.now() + interval,
      etag: answer.etag,
      lastModified: answer.lastModified,
    });
    this.#remember(feed.id, stored);
    this.#changed([feed.id]);
    return this.store.get(feed.id);
  }

  #added(feed: { url: string; title: string; folder: string }): Feed {
    const added = this.store.add({ ...feed, byHand: true });
    this.#changed([added.id]);
    return added;
  }

  #refuseKnown(url: string): void {
    const known = this.store.byUrl(url);
    if (known) throw new CredenceError("feeds.already-there", { title: known.title });
  }

  /** Reads a feed from a file on disk. It is kept and searched like any other, and never asked for again. */
  async addFile(path: string, signal: AbortSignal): Promise<Feed> {
    const parsed = await this.#deps.parser.feed({ bytes: await readWhole(path), url: null, contentType: null }, signal);
    const feed = this.store.add({ url: null, title: parsed.title || basename(path), homePage: parsed.homePage });
    const stored = this.store.storeParsed(feed.id, parsed);
    this.store.settle(feed.id, { state: "ok", problem: null, failures: 0, nextAt: null });
    this.#remember(feed.id, stored);
    this.#changed([feed.id]);
    return this.store.get(feed.id);
  }

  async importOpml(path: string, signal: AbortSignal): Promise<Result<"feeds.importOpml">> {
    return this.importList(await this.#deps.parser.opml(await readWhole(path), signal));
  }

  importList(list: readonly OpmlFeed[]): Result<"feeds.importOpml"> {
    const refused: string[] = [];
    let added = 0;
    let known = 0;
    for (const entry of list) {
      try {
        const url = readAddress(entry.url);
        if (this.store.byUrl(url)) {
          known++;
          continue;
        }
        this.store.add({ url, title: entry.title, homePage: entry.homePage, folder: entry.folder, byHand: true });
        added++;
      } catch (thrown) {
        if (!isCredenceError(thrown, "feeds.bad-address")) throw thrown;
        refused.push(entry.url);
      }
    }
    this.#changed([]);
    return { added, known, refused };
  }

  exportOpml(): Result<"feeds.exportOpml"> {
    const list = this.store
      .list()
      .flatMap((feed) =>
        feed.url ? [{ url: feed.url, title: feed.title, homePage: feed.homePage, folder: feed.folder }] : [],
      );
    return { fileName: "credence-feeds.opml", text: writeOpml(list, "Feeds in Credence") };
  }

  /** Fetches an entry's page and keeps its readable part in place of the summary. */
  async fetchFullText(entryId: string, signal: AbortSignal): Promise<FeedEntry> {
    const row = this.store.entryRow(entryId);
    if (!row.link) throw new CredenceError("feeds.no-link", { title: row.title });
    const answer = await this.#deps.fetch({ url: row.link, etag: null, lastModified: null, byHand: false, signal });
    if (answer.kind !== "ok") throw refusal(answer, row.link);
    const readable = await this.#deps.parser.article(answer, signal);
    if (!readable) throw new CredenceError("feeds.nothing-readable", { title: row.title });
    this.store.setFullText(entryId, readable);
    this.#index(this.store.entryRow(entryId));
    this.#changed([row.feed_id]);
    return this.store.entry(entryId);
  }

  /** One picture of an entry, as a data address. Only addresses that stand in the entry are fetched. */
  async picture(entryId: string, url: string, signal: AbortSignal): Promise<{ dataUrl: string }> {
    const { html } = this.store.entry(entryId);
    if (!html.includes(url.replaceAll("&", "&amp;")) && !html.includes(url))
      throw new CredenceError("general.not-found", { what: "picture", id: url });
    const dataUrl = pictureAddress(await this.#deps.fetchPicture(url, signal));
    if (!dataUrl) throw new CredenceError("feeds.not-a-picture", { host: new URL(url).host });
    return { dataUrl };
  }

  /** Fetches the pages of new entries, one after another; an entry whose page gives nothing keeps its summary. */
  async #fetchAllFullTexts(entryIds: readonly string[]): Promise<void> {
    for (const id of entryIds.slice(0, FULL_TEXTS_AT_ONCE)) {
      if (this.#stop.signal.aborted) return;
      await this.fetchFullText(id, this.#stop.signal).catch((thrown: unknown) =>
        this.#deps.log.info("feed.full-text", {
          entry: id,
          reason: thrown instanceof CredenceError ? thrown.kind : "",
        }),
      );
    }
  }

  /** Removes for good what was removed in an earlier run: undo lasts until the app quits. */
  purgeRemoved(): void {
    this.#forget(this.store.purgeRemoved());
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.refresher.close();
    await this.#fullTexts;
  }

  /** New words go to the search index at once; entries of feeds that may move beliefs are offered as evidence, oldest first. */
  #remember(feedId: string, entries: StoredEntries): void {
    const feed = this.store.get(feedId);
    // Oldest first: what came out later may answer what came out before.
    for (const id of [...entries.added, ...entries.changed]) this.#index(this.store.entryRow(id));
    if (feed.fullText && entries.added.length > 0) {
      // Newest first; evidence is weighed on the whole article, so it is offered when that is there.
      const newest = [...entries.added].reverse();
      this.#fullTexts = this.#fullTexts
        .then(() => this.#fetchAllFullTexts(newest))
        .then(() => this.#offerOrPass(feedId));
    } else this.#offerOrPass(feedId);
  }

  #offerOrPass(feedId: string): void {
    if (this.store.row(feedId)?.may_move_beliefs === 1) this.offerPending();
    else this.store.passOver(feedId);
  }

  /** Offers entries to the ingest queue while it has room, oldest first. Called again whenever room appears. */
  offerPending(): void {
    const { offer } = this.#deps;
    if (!offer) return;
    for (const row of this.store.toOffer(OFFERED_AT_ONCE)) {
      const taken = offer({
        entryId: row.id,
        feedId: row.feed_id,
        feedTitle: row.feed_title,
        title: row.title,
        text: textOf(row),
        at: row.at,
      });
      if (!taken) return;
      this.store.markOffered(row.id);
    }
  }

  #index(row: EntryRow): void {
    this.#deps.index.removeSource("feed", row.id);
    this.#deps.index.put(
      this.#deps.split(textOf(row)).map(
        (text, i): IndexItem => ({
          id: `${row.id}:${i}`,
          kind: "feed",
          sourceId: row.id,
          collectionId: row.feed_id,
          text,
          title: row.title,
          place: row.feed_title,
          at: row.at,
          strength: null,
        }),
      ),
    );
  }

  #forget(entryIds: readonly string[]): void {
    this.#deps.onForgotten?.(entryIds);
    for (const id of entryIds) this.#deps.index.removeSource("feed", id);
  }
}

/** An entry's words without markup: title, then the fullest text there is. */
export function textOf(row: Pick<EntryRow, "title" | "text">): string {
  return row.text ? `${row.title}\n\n${row.text}`.trim() : row.title;
}

function refusal(answer: Exclude<FetchOutcome, { kind: "ok" }>, address: string): CredenceError {
  switch (answer.kind) {
    case "failed":
    case "not-allowed":
      return errorFromData(answer.error);
    case "offline":
      return new CredenceError("feeds.offline", {});
    case "gone":
    case "not-modified":
      return new CredenceError("feeds.none-found", { address });
    case "busy":
      return new CredenceError("feeds.busy", { address });
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path).catch((cause: unknown) => {
    throw new CredenceError("feeds.file-unreadable", { path }, { cause });
  });
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE) throw new CredenceError("feeds.file-too-large", { path, bytes: size });
    return await file.readFile();
  } catch (thrown) {
    if (thrown instanceof CredenceError) throw thrown;
    throw new CredenceError("feeds.file-unreadable", { path }, { cause: thrown });
  } finally {
    await file.close();
  }
}
