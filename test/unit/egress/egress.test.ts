import { connect, createServer as createTcp } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Lookup } from "../../../core/egress/guard.ts";
import { createEgress, type Egress, type EgressRequest } from "../../../core/egress/index.ts";
import { ManualClock, systemClock } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { type Loopback, loopback } from "../../support/loopback.ts";
import { migratedDatabase } from "../../support/profile.ts";

let db: Connection;
let server: Loopback;
let egress: Egress;
let looked: string[];

const loopbackLookup: Lookup = (host, _, callback) => {
  looked.push(host);
  callback(null, [{ address: "127.0.0.1", family: 4 }]);
};

function start(options: { lookup?: Lookup; env?: Record<string, string>; online?: () => boolean } = {}): Egress {
  return createEgress({
    db,
    clock: systemClock,
    userAgent: "Credence/test",
    env: {},
    lookup: loopbackLookup,
    online: () => true,
    ...options,
  });
}

beforeEach(async () => {
  db = migratedDatabase();
  looked = [];
  server = await loopback((path, response) => {
    if (path === "/feed") {
      response.setHeader("etag", '"v1"').setHeader("last-modified", "Fri, 28 Nov 2025 09:00:00 GMT");
      response.setHeader("content-type", "application/rss+xml; charset=iso-8859-1").end(Buffer.from([0x63, 0xe9]));
    } else if (path === "/gzip") response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(100_000)));
    else if (path === "/br") response.setHeader("content-encoding", "br").end(brotliCompressSync("brotli"));
    else if (path === "/deflate") response.setHeader("content-encoding", "deflate").end(deflateSync("deflate"));
    else if (path === "/bomb") response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(30_000_000)));
    else if (path === "/flood") {
      const timer = setInterval(() => response.write("y".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    } else if (path === "/hang") return;
    else if (path === "/busy") response.writeHead(503, { "retry-after": "120" }).end();
    else if (path === "/moved") response.writeHead(301, { location: "/moved2" }).end();
    else if (path === "/moved2") response.writeHead(308, { location: "/feed" }).end();
    else if (path === "/found") response.writeHead(302, { location: "/feed" }).end();
    else if (path === "/circle") response.writeHead(302, { location: "/circle" }).end();
    else if (path === "/inward") response.writeHead(302, { location: `http://localhost:${server.port}/feed` }).end();
    else if (path === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
    else if (path === "/post") response.writeHead(303, { location: "/feed" }).end();
    else if (path === "/304") response.writeHead(304).end();
    else response.writeHead(404).end("no");
  });
  egress = start();
  egress.setAllowed("feeds", true);
});

afterEach(async () => {
  await egress.close();
  await server.close();
  db.close();
});

const get = (path: string, more: Partial<EgressRequest> = {}) =>
  egress.request({ purpose: "feeds", url: `${server.origin}${path}`, what: "A feed", addedByHand: true, ...more });

describe("consent", () => {
  it("is missing at first: nothing is sent, nothing is written down", async () => {
    await expect(get("/feed", { purpose: "web-research" })).rejects.toMatchObject({
      kind: "egress.not-allowed",
      message: "Web search is off, so nothing was sent. You can allow it under Privacy.",
    });
    expect(server.seen).toEqual([]);
    expect(egress.requestsEver()).toBe(0);
    expect(egress.refusal("web-research")).toBe("Web search is off.");
    expect(egress.overview().headline).toBe("Nothing has left this machine");
  });

  it("outlives a restart, and can be taken back", async () => {
    const again = start();
    expect(again.refusal("feeds")).toBeNull();
    again.setAllowed("feeds", false);
    await expect(get("/feed")).rejects.toMatchObject({ kind: "egress.not-allowed" });
    await again.close();
  });

  it("does not help while the network is cut", async () => {
    egress.setCut(true);
    await expect(get("/feed")).rejects.toMatchObject({ kind: "egress.cut" });
    egress.setCut(false);
    expect((await get("/feed")).status).toBe(200);
  });
});

describe("a request", () => {
  it("gives the raw bytes, the validators and the final address", async () => {
    const answer = await get("/feed");
    expect({ ...answer, headers: null }).toEqual({
      status: 200,
      url: `${server.origin}/feed`,
      headers: null,
      bytes: Buffer.from([0x63, 0xe9]),
      contentType: "application/rss+xml; charset=iso-8859-1",
      notModified: false,
      movedTo: null,
      etag: '"v1"',
      lastModified: "Fri, 28 Nov 2025 09:00:00 GMT",
      retryAfterMs: null,
      ledgerId: 1,
    });
    expect(server.seen[0]?.headers).toMatchObject({
      "user-agent": "Credence/test",
      "accept-encoding": "gzip, deflate, br",
    });
  });

  it("asks conditionally and says when nothing changed", async () => {
    const answer = await get("/304", { etag: '"v1"', lastModified: "Fri, 28 Nov 2025 09:00:00 GMT" });
    expect([answer.notModified, answer.bytes.length]).toEqual([true, 0]);
    expect(server.seen[0]?.headers).toMatchObject({
      "if-none-match": '"v1"',
      "if-modified-since": "Fri, 28 Nov 2025 09:00:00 GMT",
    });
  });

  it("decompresses gzip, brotli and deflate", async () => {
    expect((await get("/gzip")).bytes.length).toBe(100_000);
    expect(Buffer.from((await get("/br")).bytes).toString()).toBe("brotli");
    expect(Buffer.from((await get("/deflate")).bytes).toString()).toBe("deflate");
  });

  it("stops reading at its cap, compressed or not", async () => {
    await expect(get("/bomb", { maxBytes: 1_000_000 })).rejects.toMatchObject({ kind: "egress.too-large" });
    await expect(get("/flood", { maxBytes: 1_000_000 })).rejects.toMatchObject({ kind: "egress.too-large" });
  });

  it("ends at its time, and at once when stopped", async () => {
    await expect(get("/hang", { timeoutMs: 60 })).rejects.toMatchObject({ kind: "egress.timeout" });
    const stop = new AbortController();
    const asked = get("/hang", { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(asked).rejects.toMatchObject({ kind: "general.cancelled" });
  });

  it("says when to come back", async () => {
    expect(await get("/busy")).toMatchObject({ status: 503, retryAfterMs: 120_000 });
  });

  it("that cannot connect says so in words", async () => {
    await server.close();
    await expect(get("/feed")).rejects.toMatchObject({
      kind: "egress.failed",
      message: expect.stringContaining("nothing listens there"),
    });
  });

  it("sends a login of the address as a header, never in the ledger", async () => {
    await egress.request({
      purpose: "feeds",
      url: `http://user:secret@127.0.0.1:${server.port}/feed`,
      what: "A feed",
      addedByHand: true,
    });
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:secret").toString("base64")}`);
    expect(JSON.stringify(egress.ledger({}))).not.toContain("secret");
  });
});

describe("a redirect", () => {
  it("is followed, and permanent only when all of the way is", async () => {
    expect(await get("/moved")).toMatchObject({
      status: 200,
      url: `${server.origin}/feed`,
      movedTo: `${server.origin}/feed`,
    });
    expect(await get("/found")).toMatchObject({ status: 200, movedTo: null });
    expect(egress.requestsEver()).toBe(5);
  });

  it("in a circle ends", async () => {
    await expect(get("/circle")).rejects.toMatchObject({ kind: "egress.too-many-redirects" });
  });

  it("to another private host is refused and written down, even from an address typed by hand", async () => {
    await expect(get("/inward")).rejects.toMatchObject({ kind: "egress.private-address" });
    expect(egress.ledger({}).entries[0]).toMatchObject({
      outcome: "refused",
      host: `localhost:${server.port}`,
      bytesUp: 0,
    });
    expect(egress.requestsEver()).toBe(1);
  });

  it("to something else than the web is refused", async () => {
    await expect(get("/file")).rejects.toMatchObject({ kind: "egress.bad-address" });
  });

  it("after a post is a get without the body", async () => {
    await get("/post", { method: "POST", body: "secret" });
    expect(server.seen.map(({ line, body }) => [line, body])).toEqual([
      ["POST /post", "secret"],
      ["GET /feed", ""],
    ]);
  });
});

describe("a private address", () => {
  it.each([
    "http://127.0.0.1/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://localhost/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest",
    "http://printer/",
  ])("is refused before anything is sent: %s", async (url) => {
    await expect(egress.request({ purpose: "feeds", url, what: "A feed" })).rejects.toMatchObject({
      kind: "egress.private-address",
    });
    expect(looked).toEqual([]);
  });

  it("behind a public name is refused at the connection, which uses the very answer that was checked", async () => {
    await expect(
      egress.request({ purpose: "feeds", url: `http://rebind.example:${server.port}/feed`, what: "A feed" }),
    ).rejects.toMatchObject({
      kind: "egress.private-address",
    });
    expect(looked).toEqual(["rebind.example"]);
    expect(server.seen).toEqual([]);
  });

  it("among public ones spoils the name", async () => {
    egress = start({
      lookup: (_, __, callback) =>
        callback(null, [
          { address: "93.184.216.34", family: 4 },
          { address: "10.0.0.1", family: 4 },
        ]),
    });
    await expect(
      egress.request({ purpose: "feeds", url: "http://mixed.example/", what: "A feed" }),
    ).rejects.toMatchObject({ kind: "egress.private-address" });
  });

  it("typed by hand works, by name too", async () => {
    const answer = await egress.request({
      purpose: "feeds",
      url: `http://nas.local:${server.port}/feed`,
      what: "A feed",
      addedByHand: true,
    });
    expect(answer.status).toBe(200);
  });

  it("reached by hand leaves no open way for others", async () => {
    await egress.request({
      purpose: "feeds",
      url: `http://site.example:${server.port}/feed`,
      what: "A feed",
      addedByHand: true,
    });
    await expect(
      egress.request({ purpose: "feeds", url: `http://site.example:${server.port}/feed`, what: "A feed" }),
    ).rejects.toMatchObject({
      kind: "egress.private-address",
    });
  });
});

it("a name that is not found and a machine without network differ in words", async () => {
  const lookup: Lookup = (_, __, callback) => callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
  const online = start({ lookup });
  await expect(
    online.request({ purpose: "feeds", url: "http://nowhere.example/", what: "A feed" }),
  ).rejects.toMatchObject({ kind: "egress.host-not-found" });
  const offline = start({ lookup, online: () => false });
  expect(offline.refusal("feeds")).toBeNull();
  expect(offline.refusal("feeds", "https://example.org/")).toBe("This machine has no network.");
  expect(offline.refusal("feeds", server.origin)).toBeNull();
  expect(
    (await offline.request({ purpose: "feeds", url: `${server.origin}/feed`, what: "A feed", addedByHand: true }))
      .status,
  ).toBe(200);
  await expect(
    offline.request({ purpose: "feeds", url: "http://nowhere.example/", what: "A feed" }),
  ).rejects.toMatchObject({ kind: "egress.offline" });
  await Promise.all([online.close(), offline.close()]);
});

it("a proxy of the environment carries requests to public names", async () => {
  const asked: string[] = [];
  const proxy = createTcp((client) => {
    client.once("data", (head) => {
      asked.push(head.toString().split("\r\n")[0]!);
      const origin = connect(server.port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(origin).pipe(client);
      });
      origin.on("error", () => client.destroy());
    });
    client.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const behind = start({ env: { HTTP_PROXY: `http://127.0.0.1:${port}` } });
  expect((await behind.request({ purpose: "feeds", url: "http://public.example/feed", what: "A feed" })).status).toBe(
    200,
  );
  expect(asked).toEqual(["CONNECT public.example:80 HTTP/1.1"]);
  await expect(behind.request({ purpose: "feeds", url: "http://10.0.0.1/", what: "A feed" })).rejects.toMatchObject({
    kind: "egress.private-address",
  });
  await behind.close();
  proxy.close();
});

it("a SOCKS proxy carries them as well, resolving the name at its own end", async () => {
  const asked: string[] = [];
  const proxy = createTcp((client) => {
    client.on("error", () => {});
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", (request) => {
        asked.push(request.subarray(5, 5 + request[4]!).toString());
        const origin = connect(server.port, "127.0.0.1", () => {
          client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]));
          client.pipe(origin).pipe(client);
        });
        origin.on("error", () => client.destroy());
      });
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const behind = start({ env: { ALL_PROXY: `socks5://127.0.0.1:${port}` } });
  expect((await behind.request({ purpose: "feeds", url: "http://public.example/feed", what: "A feed" })).status).toBe(
    200,
  );
  expect([asked, looked]).toEqual([["public.example"], []]);
  await behind.close();
  proxy.close();
});

it("keys for one site do not follow a redirect to another", async () => {
  const other = await loopback((_, response) => response.end("there"));
  const away = await loopback((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
  );
  await egress.request({
    purpose: "feeds",
    url: away.origin,
    what: "A feed",
    addedByHand: true,
    headers: { "x-api-key": "secret", authorization: "secret", accept: "text/plain" },
  });
  expect(away.seen[0]?.headers["x-api-key"]).toBe("secret");
  expect(other.seen[0]?.headers).toMatchObject({ accept: "text/plain" });
  expect(JSON.stringify(other.seen[0]?.headers)).not.toContain("secret");
  await Promise.all([other.close(), away.close()]);
});

describe("the ledger", () => {
  it("holds the row before the answer is there, and its bytes afterwards", async () => {
    const asked = get("/hang", { timeoutMs: 80 });
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(egress.ledger({}).entries[0]).toMatchObject({
      outcome: "sending",
      host: `127.0.0.1:${server.port}`,
      purpose: "feeds",
    });
    await expect(asked).rejects.toThrow();
    expect(egress.ledger({}).entries[0]).toMatchObject({ outcome: "failed", status: null });
    await get("/gzip");
    const [entry] = egress.ledger({}).entries;
    expect(entry).toMatchObject({ outcome: "ok", status: 200, what: "A feed", agreedBy: "Standing", title: "Feeds" });
    expect(entry!.bytesUp).toBeGreaterThan(100);
    expect(entry!.bytesDown).toBeGreaterThan(100);
    expect(entry!.bytesDown).toBeLessThan(10_000);
  });

  it("calls a request failed that Credence did not see the end of", async () => {
    db.exec(
      "INSERT INTO egress_ledger (at, day, purpose, host, method, what, agreed_by, outcome) VALUES (1000, '1970-01-01', 'feeds', 'h', 'GET', 'x', 'Standing', 'sending')",
    );
    const again = start();
    expect(again.ledger({}).entries[0]).toMatchObject({ host: "h", outcome: "failed" });
    await again.close();
  });

  it("tells of changes at most once a second, the last one included", async () => {
    const clock = new ManualClock();
    let told = 0;
    const counting = createEgress({ db, clock, userAgent: "t", env: {}, online: () => true, onChanged: () => told++ });
    for (let i = 0; i < 20; i++) counting.setAllowed("mcp", i % 2 === 0);
    expect(told).toBe(1);
    await clock.advance(1000);
    expect(told).toBe(2);
    await clock.advance(5000);
    expect(told).toBe(2);
    await counting.close();
  });

  it("pages, filters and adds up by host and day", async () => {
    for (let i = 0; i < 5; i++) await get("/feed");
    const first = egress.ledger({ limit: 2 });
    expect([first.entries.map((entry) => entry.id), first.total, first.hasOlder]).toEqual([[5, 4], 5, true]);
    expect(egress.ledger({ before: 4, limit: 10 }).entries.map((entry) => entry.id)).toEqual([3, 2, 1]);
    expect(egress.ledger({ purpose: "mcp" }).total).toBe(0);
    expect(egress.totals("host")).toMatchObject([
      { key: `127.0.0.1:${server.port}`, requests: 5, refused: 0, purposes: ["feeds"] },
    ]);
    expect(egress.totals("day")).toMatchObject([{ requests: 5 }]);
    expect(egress.overview()).toMatchObject({
      headline: "Five requests today, all for your feeds",
      requestsEver: 5,
      requestsToday: 5,
    });
    egress.describe(5, "A feed, 3 new");
    expect(egress.ledger({ limit: 1 }).entries[0]?.what).toBe("A feed, 3 new");
  });
});

it("a fetch for libraries streams through the same checks and ledger", async () => {
  const through = egress.fetchFor("feeds", { what: "A tool server", addedByHand: true });
  const answer = await through(`${server.origin}/feed`, { headers: { accept: "text/plain" } });
  expect([answer.status, answer.headers.get("etag"), (await answer.arrayBuffer()).byteLength]).toEqual([
    200,
    '"v1"',
    2,
  ]);
  expect(egress.requestsEver()).toBe(1);
  const flood = await through(`${server.origin}/flood`);
  const reader = flood.body!.getReader();
  await reader.read();
  await reader.cancel();
  await expect(
    egress.fetchFor("mcp", { what: "A tool server", addedByHand: true })(`${server.origin}/feed`),
  ).rejects.toMatchObject({ kind: "egress.not-allowed" });
});
