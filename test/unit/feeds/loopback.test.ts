import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createEgress, type Egress } from "../../../core/egress/index.ts";
import { Feeds, feedFetcher, feedParser, type OfferedEntry, pictureFetcher } from "../../../core/feeds/index.ts";
import type { IndexItem } from "../../../core/memory/types.ts";
import { createParser, type Parser } from "../../../core/parsing/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { migratedDatabase } from "../../support/profile.ts";

/** Real requests through the real egress module to a server on this machine, parsed in the real parser process. */
const entry = fileURLToPath(new URL("../../../core/parsing/process/main.ts", import.meta.url));
let server: Server;
let base: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: IncomingMessage[];
let parser: Parser;
let egress: Egress;
let feeds: Feeds;
let indexed: Map<string, IndexItem>;
let offered: OfferedEntry[];
let room: number;

beforeAll(async () => {
  parser = createParser({
    host: nodeChildHost({ engine: entry, parser: entry }),
    clock: systemClock,
    log: silentLog,
    size: 1,
  });
  server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  parser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  const db = migratedDatabase();
  seen = [];
  indexed = new Map();
  offered = [];
  room = 100;
  egress = createEgress({ db, clock: systemClock, userAgent: "Credence/test", env: {}, online: () => true });
  egress.setAllowed("feeds", true);
  feeds = new Feeds({
    db,
    clock: systemClock,
    log: silentLog,
    fetch: feedFetcher(egress),
    fetchPicture: pictureFetcher(egress),
    parser: feedParser(parser),
    index: {
      put(items) {
        for (const item of items) indexed.set(item.id, item);
      },
      remove(ids) {
        for (const id of ids) indexed.delete(id);
      },
      removeSource(_, sourceId) {
        for (const item of [...indexed.values()]) if (item.sourceId === sourceId) indexed.delete(item.id);
      },
      search: async () => [],
      pending: () => 0,
    },
    split: (text) => [text],
    allowed: () => egress.refusal("feeds") === null,
    offer: (one) => {
      if (offered.length >= room) return false;
      offered.push(one);
      return true;
    },
  });
});
afterEach(async () => {
  await feeds.close();
  await egress.close();
});

const signal = new AbortController().signal;
const add = (path: string) => feeds.add(`${base}${path}`, "", signal);
const rss = (...titles: string[]) =>
  `<rss version="2.0"><channel><title>Weir notes</title><link>https://weir.example/</link>${titles.map((title) => `<item><guid>${title}</guid><title>${title}</title><description>&lt;p&gt;About ${title}&lt;/p&gt;</description></item>`).join("")}</channel></rss>`;
const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/rss+xml", ...headers });
    response.end(body);
  };

test("without consent nothing is sent, and the error says where to give it", async () => {
  egress.setAllowed("feeds", false);
  answer = send(rss("a"));
  await expect(add("/feed")).rejects.toMatchObject({
    kind: "egress.not-allowed",
    message: expect.stringContaining("Privacy"),
  });
  expect([seen.length, egress.requestsEver()]).toEqual([0, 0]);
});

test("a compressed feed is followed, its words are searchable, and the request is in the ledger", async () => {
  answer = send(gzipSync(rss("eels", "racks")), { "content-encoding": "gzip", etag: '"7"' });
  const added = await add("/feed");
  expect(added).toMatchObject({ outcome: "added", feed: { title: "Weir notes", unread: 2, state: "ok" } });
  expect([...indexed.values()].map((item) => [item.kind, item.text, item.place])).toEqual([
    ["feed", "racks\n\nAbout racks", "Weir notes"],
    ["feed", "eels\n\nAbout eels", "Weir notes"],
  ]);
  expect(egress.ledger({}).entries).toMatchObject([{ purpose: "feeds", outcome: "ok", status: 200 }]);
});

test("a page is followed by the feed it declares; several are offered", async () => {
  answer = (request, response) =>
    request.url === "/"
      ? send(
          `<html><head><link rel="alternate" type="application/rss+xml" title="All" href="/all.xml"></head><body>Site</body></html>`,
          { "content-type": "text/html" },
        )(request, response)
      : send(rss("a"))(request, response);
  expect(await add("/")).toMatchObject({ outcome: "added", feed: { url: `${base}/all.xml` } });
  answer = send(
    `<link rel="alternate" type="application/atom+xml" title="News" href="a.xml"><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments"><link rel="alternate" type="application/feed+json" title="Notes" href="n.json">`,
    { "content-type": "text/html" },
  );
  expect(await add("/several")).toEqual({
    outcome: "choose",
    found: [
      { url: `${base}/a.xml`, title: "News" },
      { url: `${base}/n.json`, title: "Notes" },
      { url: `${base}/comments`, title: "Comments" },
    ],
  });
  answer = send("<html><body>Nothing</body></html>", { "content-type": "text/html" });
  await expect(add("/none")).rejects.toMatchObject({ kind: "feeds.none-found" });
});

test("the same feed twice is said to be there already", async () => {
  answer = send(rss("a"));
  await add("/feed");
  await expect(add("/feed")).rejects.toMatchObject({ kind: "feeds.already-there" });
});

async function refreshed(id: string) {
  feeds.refresher.refresh([id]);
  await feeds.refresher.idle();
  return feeds.store.get(id);
}

async function followed(): Promise<string> {
  answer = send(rss("a"), { etag: '"1"' });
  const added = await add("/feed");
  return added.outcome === "added" ? added.feed.id : "";
}

test("a server that answers 304, moves for good, asks to wait, fails, ends or talks nonsense leaves the entries readable", async () => {
  const id = await followed();
  answer = (request, response) =>
    send("", {}, request.headers["if-none-match"] === '"1"' ? 304 : 500)(request, response);
  expect(await refreshed(id)).toMatchObject({ state: "ok", entries: 1 });

  answer = (request, response) =>
    request.url === "/feed"
      ? send("", { location: "/moved" }, 301)(request, response)
      : send(rss("a", "b"))(request, response);
  expect(await refreshed(id)).toMatchObject({ url: `${base}/moved`, entries: 2 });

  answer = send("", { "retry-after": "7200" }, 429);
  const busy = await refreshed(id);
  expect(busy.problem).toMatch(/left alone/);
  expect(busy.nextAt! - Date.now()).toBeGreaterThan(7_000_000);

  answer = send("oops", {}, 500);
  expect(await refreshed(id)).toMatchObject({ state: "failing", problem: expect.stringContaining("500"), entries: 2 });

  answer = (_, response) => response.destroy();
  expect(await refreshed(id)).toMatchObject({ state: "failing", entries: 2 });

  answer = send("<html><body>Sign in to the hotel network</body></html>", { "content-type": "text/html" });
  expect((await refreshed(id)).problem).toMatch(/a web page/);

  answer = send("", {}, 410);
  expect(await refreshed(id)).toMatchObject({ state: "gone", entries: 2, nextAt: null });
});

test("a redirect to another private address is refused, whoever sends it", async () => {
  const id = await followed();
  answer = send("", { location: "http://169.254.169.254/latest" }, 302);
  const feed = await refreshed(id);
  expect(feed).toMatchObject({ state: "failing", entries: 1, problem: expect.stringContaining("own network") });
});

test("an answer without end is cut off at its cap", async () => {
  const id = await followed();
  answer = (_, response) => {
    response.writeHead(200, { "content-type": "application/rss+xml" });
    const chunk = Buffer.alloc(1_000_000, "x");
    const pour = () => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
  };
  expect((await refreshed(id)).problem).toMatch(/MB/);
}, 60_000);

test("only feeds that may move beliefs offer entries, only what came in since, and the rest when there is room", async () => {
  const id = await followed();
  expect(offered).toEqual([]);
  feeds.store.update(id, { mayMoveBeliefs: true });
  room = 2;
  answer = send(rss("a", "d", "c", "b"));
  await refreshed(id);
  expect(offered.map((one) => one.title)).toEqual(["b", "c"]);
  room = 10;
  feeds.offerPending();
  expect(offered.map((one) => one.title)).toEqual(["b", "c", "d"]);
});

test("a picture is fetched only on a click, only when it stands in the entry, and only when it is one", async () => {
  answer = send(
    `<rss><channel><title>P</title><item><guid>p</guid><title>p</title><description>&lt;img src="${base}/plot.png"&gt;&lt;img src="${base}/no.png"&gt;</description></item></channel></rss>`,
  );
  await add("/pictures");
  const [first] = feeds.store.entries({}, null, 1).entries;
  const picture = (url: string) => feeds.picture(first!.id, url, signal);
  await expect(picture(`${base}/plot.png`)).rejects.toMatchObject({ kind: "egress.not-allowed" });
  egress.setAllowed("feed-images", true);
  await expect(picture("https://elsewhere.example/x.png")).rejects.toMatchObject({ kind: "general.not-found" });
  answer = send(Buffer.from("<svg/>"), { "content-type": "image/png" });
  await expect(picture(`${base}/no.png`)).rejects.toMatchObject({
    kind: expect.stringMatching(/private-address|not-a-picture/),
  });
});

test("a subscription list goes out and comes back the same", async () => {
  feeds.importList([
    { url: "https://a.example/feed", title: "A", homePage: null, folder: "Rivers" },
    { url: "not an address", title: "B", homePage: null, folder: "" },
  ]);
  const list = await feedParser(parser).opml(Buffer.from(feeds.exportOpml().text), signal);
  expect(list).toEqual([{ url: "https://a.example/feed", title: "A", homePage: null, folder: "Rivers" }]);
});
