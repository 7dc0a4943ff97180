import { asCredenceError, CredenceError } from "../contract/index.ts";
import type { ParsedFeed } from "../parsing/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { FeedParser, FetchFeed, FetchOutcome } from "./ports.ts";
import type { FeedRow } from "./rows.ts";
import { nextDelay } from "./schedule.ts";
import type { FeedStore, StoredEntries } from "./store.ts";

/** Requests at once, and at once to the same host: a feed reader is a guest. */
const AT_ONCE = 4;
const PER_HOST = 1;
const TICK = 60_000;
/** Nothing is asked for before the window has been usable for a while. */
const FIRST_TICK = 20_000;

export interface RefreshDeps {
  readonly store: FeedStore;
  readonly fetch: FetchFeed;
  readonly parser: Pick<FeedParser, "feed">;
  readonly clock: Clock;
  readonly log: Log;
  readonly chance: () => number;
  /** New and changed entries, after they are stored. */
  readonly onStored: (feedId: string, entries: StoredEntries) => void;
  readonly onChanged: (feedIds: readonly string[]) => void;
  readonly onPruned: (entryIds: readonly string[]) => void;
  readonly isEvidence: (entryId: string) => boolean;
}

/** Asks feeds when they are due or when the user says so, and stores what came. One failing feed never holds up another. */
export class FeedRefresher {
  readonly #deps: RefreshDeps;
  readonly #running = new Map<string, Promise<void>>();
  readonly #hosts = new Map<string, number>();
  readonly #stop = new AbortController();
  #waiting: FeedRow[] = [];
  #cancelTick = () => {};
  #settled: (() => void)[] = [];
  /** False after a request found no network, until one succeeds. */
  online = true;

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  /** Begins asking by itself; the first time some while after the start. */
  start(): void {
    const tick = () => {
      this.refreshDue();
      this.#cancelTick = this.#deps.clock.after(TICK, tick);
    };
    this.#cancelTick = this.#deps.clock.after(FIRST_TICK, tick);
  }

  refreshDue(): number {
    return this.#enqueue(this.#deps.store.due(this.#deps.clock.now()));
  }

  /** Asks the given feeds now, whatever their schedule; paused and gone ones too, because the user asked. */
  refresh(ids: readonly string[]): number {
    const rows = ids
      .map((id) => this.#deps.store.row(id))
      .filter((row): row is FeedRow => row !== null && row.url !== null);
    return this.#enqueue(rows);
  }

  /** Resolves when nothing is being asked or waiting. */
  async idle(): Promise<void> {
    if (this.#running.size === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#settled.push(resolve));
  }

  async close(): Promise<void> {
    this.#cancelTick();
    this.#waiting = [];
    this.#stop.abort();
    await Promise.allSettled(this.#running.values());
  }

  #enqueue(rows: readonly FeedRow[]): number {
    const fresh = rows.filter(
      (row) => !this.#running.has(row.id) && !this.#waiting.some((other) => other.id === row.id),
    );
    this.#waiting.push(...fresh);
    this.#pump();
    return fresh.length;
  }

  #pump(): void {
    while (this.#running.size < AT_ONCE && !this.#stop.signal.aborted) {
      const next = this.#waiting.findIndex((row) => (this.#hosts.get(hostOf(row)) ?? 0) < PER_HOST);
      if (next < 0) break;
      const [row] = this.#waiting.splice(next, 1);
      this.#run(row!);
    }
    if (this.#running.size === 0 && this.#waiting.length === 0) {
      const settled = this.#settled;
      this.#settled = [];
      for (const resolve of settled) resolve();
    }
  }

  #run(row: FeedRow): void {
    const { store, log, onChanged } = this.#deps;
    const host = hostOf(row);
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
    store.refreshing.add(row.id);
    const work = this.#ask(row)
      .catch((thrown: unknown) => log.error("feed.refresh", { feed: row.id, detail: String(thrown) }))
      .finally(() => {
        store.refreshing.delete(row.id);
        this.#running.delete(row.id);
        this.#hosts.set(host, (this.#hosts.get(host) ?? 1) - 1);
        onChanged([row.id]);
        this.#pump();
      });
    this.#running.set(row.id, work);
    onChanged([row.id]);
  }

  async #ask(row: FeedRow): Promise<void> {
    const { store, fetch, clock, chance } = this.#deps;
    const outcome = await fetch({
      url: row.url!,
      etag: row.etag,
      lastModified: row.last_modified,
      byHand: row.by_hand === 1,
      signal: this.#stop.signal,
    });
    if (this.#stop.signal.aborted) return;
    const delay = (failures: number, retryAfterMs: number | null = null) =>
      clock.now() + nextDelay({ intervalMinutes: row.interval_minutes, failures, retryAfterMs, chance: chance() });
    if (outcome.kind !== "offline" && outcome.kind !== "not-allowed") this.online = true;
    switch (outcome.kind) {
      case "ok":
        return this.#store(row, outcome, delay);
      case "not-modified":
        if (outcome.movedTo) store.move(row.id, outcome.movedTo);
        return store.settle(row.id, { state: "ok", problem: null, failures: 0, nextAt: delay(0) });
      case "gone":
        return store.settle(row.id, {
          state: "gone",
          problem: "The site says that this feed has ended. Its entries stay; it is not asked again.",
          failures: 0,
          nextAt: null,
        });
      case "busy": {
        const failures = row.failures + 1;
        return store.settle(row.id, {
          state: "failing",
          problem: "The site asks to be left alone for a while.",
          failures,
          nextAt: delay(failures, outcome.retryAfterMs),
        });
      }
      case "failed": {
        const failures = row.failures + 1;
        return store.settle(row.id, {
          state: "failing",
          problem: outcome.error.message,
          failures,
          nextAt: delay(failures),
        });
      }
      case "offline":
        // A state of the machine, not a fault of the feed: it keeps its record and its place in the schedule.
        this.online = false;
        return;
      case "not-allowed":
        return;
    }
  }

  async #store(
    row: FeedRow,
    answer: Extract<FetchOutcome, { kind: "ok" }>,
    delay: (failures: number) => number,
  ): Promise<void> {
    const { store, parser, onStored, onPruned, isEvidence } = this.#deps;
    let parsed: ParsedFeed;
    try {
      parsed = await parser.feed(
        { bytes: answer.bytes, url: answer.url, contentType: answer.contentType },
        this.#stop.signal,
      );
    } catch (thrown) {
      if (this.#stop.signal.aborted) return;
      const failures = row.failures + 1;
      return store.settle(row.id, {
        state: "failing",
        problem: asCredenceError(thrown).message,
        failures,
        nextAt: delay(failures),
      });
    }
    // Removed while it was being fetched.
    if (!store.row(row.id)) return;
    if (answer.movedTo) store.move(row.id, answer.movedTo);
    const stored = store.storeParsed(row.id, parsed);
    store.settle(row.id, {
      state: "ok",
      problem: null,
      failures: 0,
      nextAt: delay(0),
      etag: answer.etag,
      lastModified: answer.lastModified,
    });
    const pruned = store.prune(row.id, isEvidence);
    if (pruned.length > 0) onPruned(pruned);
    if (stored.added.length > 0 || stored.changed.length > 0) onStored(row.id, stored);
  }
}

function hostOf(row: FeedRow): string {
  try {
    return new URL(row.url ?? "").host;
  } catch {
    return "";
  }
}

/** Reads an address as the user typed it: a scheme is added, `feed:` is dropped. Throws `feeds.bad-address`. */
export function readAddress(typed: string): string {
  const text = typed
    .trim()
    .replace(/^feed:(\/\/)?(?=https?:)/i, "")
    .replace(/^feed:\/\//i, "https://");
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch (cause) {
    throw new CredenceError("feeds.bad-address", { address: typed }, { cause });
  }
  const plausible =
    (url.protocol === "https:" || url.protocol === "http:") &&
    /\.|^localhost$|^\[/.test(url.hostname) &&
    !/\s/.test(text);
  if (!plausible) throw new CredenceError("feeds.bad-address", { address: typed });
  url.hash = "";
  return url.href;
}
