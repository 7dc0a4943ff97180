import { beforeEach, expect, test } from "vitest";
import type { FetchOutcome, FetchRequest } from "../../../core/feeds/ports.ts";
import { FeedRefresher, readAddress } from "../../../core/feeds/refresh.ts";
import { FeedStore } from "../../../core/feeds/store.ts";
import { parseFeed } from "../../../core/parsing/feed/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { migratedDatabase } from "../../support/profile.ts";

let db: Connection;
let clock: ManualClock;
let store: FeedStore;
let refresher: FeedRefresher;
let requests: FetchRequest[];
let answer: (request: FetchRequest) => FetchOutcome | Promise<FetchOutcome>;
let stored: { added: number; changed: number };

beforeEach(() => {
  db = migratedDatabase();
  clock = new ManualClock();
  store = new FeedStore({ db, clock });
  requests = [];
  stored = { added: 0, changed: 0 };
  answer = () => rss("one");
  refresher = new FeedRefresher({
    store,
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
    parser: { feed: async (source) => parseFeed(source) },
    clock,
    log: silentLog,
    chance: () => 0.5,
    onStored: (_, entries) => {
      stored.added += entries.added.length;
      stored.changed += entries.changed.length;
    },
    onChanged: () => {},
    onPruned: () => {},
    isEvidence: () => false,
  });
});

function rss(...titles: string[]): FetchOutcome {
  const items = titles.map(
    (title) =>
      `<item><guid>${title.split(" ")[0]}</guid><title>${title}</title><description>about ${title}</description></item>`,
  );
  return {
    kind: "ok",
    bytes: Buffer.from(`<rss><channel><title>Feed</title>${items.join("")}</channel></rss>`),
    contentType: null,
    url: "https://example.org/feed",
    movedTo: null,
    etag: '"v1"',
    lastModified: null,
  };
}

async function refreshOnce(id: string): Promise<void> {
  refresher.refresh([id]);
  await refresher.idle();
}

const follow = (url = "https://example.org/feed") => store.add({ url, title: "" }).id;
const failure = (message: string): FetchOutcome => ({
  kind: "failed",
  error: { kind: "general.unexpected", message, facts: {}, retry: "later" },
});

test("a second request sends the etag of the first, and 'not modified' leaves the entries alone", async () => {
  const id = follow();
  await refreshOnce(id);
  answer = () => ({ kind: "not-modified", movedTo: null });
  await refreshOnce(id);
  expect(requests.map((request) => request.etag)).toEqual([null, '"v1"']);
  expect(store.get(id)).toMatchObject({ title: "Feed", entries: 1, state: "ok" });
  expect(stored).toEqual({ added: 1, changed: 0 });
});

test("an entry that changed keeps its id, its time and that it was read", async () => {
  const id = follow();
  await refreshOnce(id);
  const [before] = store.entries({}, null, 10).entries;
  store.markRead([before!.id], true);
  await clock.advance(3_600_000);
  answer = () => rss("one amended");
  await refreshOnce(id);
  const [after] = store.entries({}, null, 10).entries;
  expect(after).toMatchObject({ id: before!.id, at: before!.at, read: true, title: "one amended" });
  expect(stored).toEqual({ added: 1, changed: 1 });
});

test("failures double the wait up to a day and keep the reason; a success clears both", async () => {
  const id = follow();
  const waits: number[] = [];
  answer = () => failure("The server did not answer.");
  for (let i = 0; i < 8; i++) {
    await refreshOnce(id);
    waits.push(Math.round((store.get(id).nextAt! - clock.now()) / 3_600_000));
  }
  expect(waits).toEqual([2, 4, 8, 16, 24, 24, 24, 24]);
  expect(store.get(id)).toMatchObject({ state: "failing", problem: "The server did not answer." });
  answer = () => rss("one");
  await refreshOnce(id);
  expect(store.get(id)).toMatchObject({ state: "ok", problem: null });
});

test("a server that asks for three days gets three days", async () => {
  const id = follow();
  answer = () => ({ kind: "busy", retryAfterMs: 3 * 86_400_000 });
  await refreshOnce(id);
  expect(store.get(id).nextAt! - clock.now()).toBe(3 * 86_400_000);
});

test("a feed that has ended keeps its entries and is not asked again by itself", async () => {
  const id = follow();
  await refreshOnce(id);
  answer = () => ({ kind: "gone" });
  await refreshOnce(id);
  await clock.advance(30 * 86_400_000);
  expect(refresher.refreshDue()).toBe(0);
  expect(store.get(id)).toMatchObject({ state: "gone", entries: 1 });
});

test("offline is no failure: the feed keeps its record and is due again at once", async () => {
  const id = follow();
  answer = () => ({ kind: "offline" });
  await refreshOnce(id);
  expect([refresher.online, store.get(id).state, store.get(id).problem]).toEqual([false, "new", null]);
  answer = () => rss("one");
  refresher.refreshDue();
  await refresher.idle();
  expect([refresher.online, store.get(id).entries]).toEqual([true, 1]);
});

test("a permanent redirect changes the address, unless another subscription has it", async () => {
  const id = follow();
  answer = () => ({ ...(rss("one") as Extract<FetchOutcome, { kind: "ok" }>), movedTo: "https://example.org/new" });
  await refreshOnce(id);
  expect(store.get(id).url).toBe("https://example.org/new");
  const twin = follow("https://example.org/other");
  await refreshOnce(twin);
  expect(store.get(twin).url).toBe("https://example.org/other");
});

test("a page instead of a feed is a failure with words, and what was there stays", async () => {
  const id = follow();
  await refreshOnce(id);
  answer = () => ({
    ...(rss() as Extract<FetchOutcome, { kind: "ok" }>),
    bytes: Buffer.from("<!doctype html><html><body>Sign in</body></html>"),
  });
  await refreshOnce(id);
  expect(store.get(id)).toMatchObject({ state: "failing", entries: 1, problem: expect.stringContaining("a web page") });
});

test("one host gets one request at a time, and no more than four run at once", async () => {
  let now = 0;
  let most = 0;
  const perHost = new Map<string, number>();
  answer = async ({ url }) => {
    const host = new URL(url).host;
    perHost.set(host, (perHost.get(host) ?? 0) + 1);
    expect(perHost.get(host)).toBe(1);
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    perHost.set(host, 0);
    return rss("one");
  };
  const ids = Array.from({ length: 24 }, (_, i) => follow(`https://host${i % 8}.example/${i}`));
  expect(refresher.refresh(ids)).toBe(24);
  await refresher.idle();
  expect([most, requests.length]).toEqual([4, 24]);
});

test("a feed removed while it is being fetched stays removed", async () => {
  const id = follow();
  answer = () => {
    store.remove(id);
    return rss("one");
  };
  await refreshOnce(id);
  expect(store.list()).toEqual([]);
  expect(store.restore(id).entries).toBe(0);
});

test("nothing is asked right after the start", async () => {
  follow();
  refresher.start();
  await clock.advance(10_000);
  expect(requests).toEqual([]);
  await clock.advance(20_000);
  expect(requests).toHaveLength(1);
  await refresher.close();
});

test("a simulated month of 200 feeds: no entry twice, none lost, and no growth without bound", async () => {
  const day = 86_400_000;
  const start = clock.now();
  // Feed k brings out an entry every (k mod 12) + 1 hours and shows its newest ten.
  const count = (k: number) => Math.floor((clock.now() - start) / (3_600_000 * ((k % 12) + 1)));
  answer = ({ url }) => {
    const k = Number(url.split("/").at(-1));
    if ((clock.now() / 60_000 + k) % 37 < 1) return failure("The server is ill.");
    const newest = count(k);
    return rss(...Array.from({ length: Math.min(10, newest) }, (_, i) => `${newest - i} of ${k}`));
  };
  const ids = Array.from({ length: 200 }, (_, k) => follow(`https://host${k}.example/${k}`));
  for (const id of ids) store.update(id, { intervalMinutes: 300 });
  let seen = 0;
  for (let hour = 0; hour < 30 * 24; hour += 6) {
    await clock.advance(6 * 3_600_000);
    refresher.refreshDue();
    await refresher.idle();
  }
  seen = stored.added;
  for (const [k, id] of ids.entries()) {
    const keys = db
      .read<{ key: string }>("SELECT key FROM feed_entries WHERE feed_id = ?")
      .all(id)
      .map((row) => Number(row.key));
    expect(new Set(keys).size).toBe(keys.length);
    // Every entry that came out up to the last successful request is there: at most ten appear between two of them.
    const newest = Math.max(...keys);
    if (k % 12 > 0) expect(keys.length).toBe(newest);
    expect(keys.length).toBeLessThanOrEqual(510);
  }
  expect(db.read<{ n: number }>("SELECT count(*) AS n FROM feed_entries").get()!.n).toBeLessThanOrEqual(seen);
  expect(requests.length).toBeLessThan(200 * 30 * 5);
  expect(clock.now() - start).toBe(30 * day);
}, 120_000);

test("addresses are read as people type them, and what is none is refused by name", () => {
  expect(readAddress("example.org/feed")).toBe("https://example.org/feed");
  expect(readAddress(" feed://example.org/rss#top")).toBe("https://example.org/rss");
  expect(readAddress("feed:http://example.org/rss")).toBe("http://example.org/rss");
  for (const wrong of ["", "not an address", "ftp://example.org/x", "javascript:alert(1)", "word"])
    expect(() => readAddress(wrong)).toThrow(/not a web address/);
});
