/**
 * `npm run bench -- feeds`: 1,000 feeds parsed against the XML library alone in the same run, and a refresh of 200 feeds
 * from a server on this machine through the real egress module and parser process, with the delay of the main loop.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Parser as XmlParser } from "htmlparser2";
import { createEgress } from "../../core/egress/index.ts";
import { Feeds, feedFetcher, feedParser, pictureFetcher } from "../../core/feeds/index.ts";
import { parseFeed } from "../../core/parsing/feed/index.ts";
import { createParser } from "../../core/parsing/index.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { nodeChildHost } from "../../core/platform/node-child-host.ts";
import { migratedDatabase } from "../support/profile.ts";

const FEEDS = 1000;
const SUBSCRIPTIONS = 200;
const HOSTS = 8;

const words = "the counter at the lower ladder recorded silver eels on both nights after a rise of the gauge".split(
  " ",
);

function feedText(n: number): string {
  const sentence = (i: number) => Array.from({ length: 60 }, (_, k) => words[(i * 7 + k * 3) % words.length]).join(" ");
  const items = Array.from(
    { length: 20 },
    (_, i) =>
      `<item><guid isPermaLink="false">${n}-${i}</guid><title>Count ${i} &amp; notes</title><link>https://feed${n}.example/${i}</link><pubDate>Tue, 03 Oct 2023 06:${String(i).padStart(2, "0")}:00 GMT</pubDate><description><![CDATA[<p>${sentence(i)} <a href="/${i}">more</a></p>]]></description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${n}</title><link>https://feed${n}.example/</link>${items.join("")}</channel></rss>`;
}

function parsing(): void {
  const texts = Array.from({ length: FEEDS }, (_, n) => feedText(n));
  const bytes = texts.map((text) => Buffer.from(text));
  const library = () => {
    for (const text of texts) {
      const parser = new XmlParser({ ontext() {}, onopentag() {} }, { xmlMode: true });
      parser.write(text);
      parser.end();
    }
  };
  const whole = () => {
    for (const source of bytes) parseFeed({ bytes: source, url: "https://feed.example/", contentType: null });
  };
  library();
  const [alone, product] = [timed(library), timed(whole)];
  const megabytes = bytes.reduce((sum, each) => sum + each.length, 0) / 1e6;
  console.log(`Parsing ${FEEDS} feeds of 20 entries (${megabytes.toFixed(1)} MB)`);
  console.log(`  XML library alone  ${alone.toFixed(0)} ms`);
  console.log(
    `  whole parser       ${product.toFixed(0)} ms, ${((FEEDS / product) * 1000).toFixed(0)} feeds a second, sanitised`,
  );
  console.log(`  ratio              ${(product / alone).toFixed(2)}`);
}

function timed(task: () => void): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/rss+xml" });
    response.end(feedText(Number(request.url!.slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function refreshing(): Promise<void> {
  // Several ports are several hosts to the limit of one request at a time per host.
  const servers = await Promise.all(Array.from({ length: HOSTS }, serve));
  const entry = fileURLToPath(new URL("../../core/parsing/process/main.ts", import.meta.url));
  const db = migratedDatabase();
  const parser = createParser({
    host: nodeChildHost({ engine: entry, parser: entry }),
    clock: systemClock,
    log: silentLog,
    size: 1,
  });
  const egress = createEgress({ db, clock: systemClock, userAgent: "Credence/bench", env: {}, online: () => true });
  egress.setAllowed("feeds", true);
  const feeds = new Feeds({
    db,
    clock: systemClock,
    log: silentLog,
    fetch: feedFetcher(egress),
    fetchPicture: pictureFetcher(egress),
    parser: feedParser(parser),
    index: { put() {}, remove() {}, removeSource() {}, search: async () => [], pending: () => 0 },
    split: (text) => [text],
    allowed: () => true,
  });
  const address = (n: number) => `http://127.0.0.1:${(servers[n % HOSTS]!.address() as AddressInfo).port}/${n}`;
  const ids = Array.from(
    { length: SUBSCRIPTIONS },
    (_, n) => feeds.store.add({ url: address(n), title: "", byHand: true }).id,
  );
  const direct = await timedAsync(async () => {
    for (let n = 0; n < SUBSCRIPTIONS; n++)
      parseFeed({ bytes: Buffer.from(feedText(n)), url: null, contentType: null });
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const took = await timedAsync(async () => {
    feeds.refresher.refresh(ids);
    await feeds.refresher.idle();
  });
  delay.disable();
  const stored = feeds.store.list().reduce((sum, feed) => sum + feed.entries, 0);
  console.log(`\nRefreshing ${SUBSCRIPTIONS} feeds: fetched, parsed in their own process, stored (${stored} entries)`);
  console.log(`  parsing alone      ${direct.toFixed(0)} ms`);
  console.log(`  whole refresh      ${took.toFixed(0)} ms`);
  console.log(`  ratio              ${(took / direct).toFixed(2)}`);
  console.log(
    `  main loop delay    p50 ${(delay.percentile(50) / 1e6).toFixed(1)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, most ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  await feeds.close();
  await egress.close();
  parser.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
}

async function timedAsync(task: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

parsing();
await refreshing();
