import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createPassageIndex,
  EmbeddingBreaker,
  type IndexItem,
  inlineReader,
  type OwnedPassageIndex,
} from "../../../core/memory/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { HashEmbedder } from "./hash-embedder.ts";

let folder: string;
let db: Connection;
let clock: ManualClock;
const opened: OwnedPassageIndex[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credence-background-"));
  db = new Connection(join(folder, "credence.db"));
  migrate(db, migrations);
  clock = new ManualClock();
});

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(embedder: HashEmbedder | null, busy: () => boolean = () => false): OwnedPassageIndex {
  const index = createPassageIndex({
    db,
    clock,
    log: silentLog,
    embedder: async () => embedder,
    reader: inlineReader(db),
    busy,
  });
  opened.push(index);
  return index;
}

const items = (count: number): IndexItem[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    kind: "document",
    sourceId: "d",
    collectionId: null,
    text: `Passage ${n} about eels number ${n * 7}`,
    title: "",
    place: "",
    at: n,
    strength: null,
  }));

const one = <Value>(sql: string) => db.read<{ value: Value }>(sql).get()?.value;

describe("embedding in the background", () => {
  it("stands still while the user waits, and goes on after", async () => {
    let busy = true;
    const index = open(new HashEmbedder(), () => busy);
    index.put(items(5));
    await clock.advance(1000);
    expect(index.pending()).toBe(5);
    busy = false;
    await clock.advance(1000);
    await index.settled();
    expect(index.pending()).toBe(0);
  });

  it("tries again later when the embedder fails, and leaves out a text that it never takes", async () => {
    const embedder = new HashEmbedder();
    embedder.failure = new Error("engine gone");
    const index = open(embedder);
    index.put(items(3));
    await index.settled();
    expect(index.pending()).toBe(3);
    embedder.failure = null;
    await clock.advance(2000);
    await index.settled();
    expect(index.pending()).toBe(0);
    expect(one("SELECT count(*) AS value FROM vector_codes")).toBe(3);
  });

  it("embeds anew for another embedder: pausable, search alive throughout, the old vectors dropped at the end", async () => {
    const first = open(new HashEmbedder("old", 64));
    first.put(items(100));
    await first.settled();
    await first.close();
    opened.splice(0);

    let busy = false;
    const index = open(new HashEmbedder("new", 32), () => busy);
    index.embedderChanged();
    for (let i = 0; i < 50 && (index.progress()?.done ?? 0) < 30; i++)
      await new Promise((resolve) => setImmediate(resolve));
    index.pauseEmbedding();
    busy = true;
    await index.settled();
    expect(index.progress()).toMatchObject({ embedderId: "new", total: 100, rebuilding: true, paused: true });
    expect((await index.search("eels number 693", { limit: 1 }))[0]?.item.id).toBe("p99");
    expect(one("SELECT count(*) AS value FROM sqlite_master WHERE name = 'passage_vectors_1'")).toBe(1);
    index.put([{ ...items(1)[0]!, id: "later", text: "A heron came by" }]);
    busy = false;
    index.resumeEmbedding();
    await clock.advance(1000);
    await index.settled();
    expect(index.progress()).toMatchObject({ done: 101, total: 101, rebuilding: false });
    expect(one("SELECT count(*) AS value FROM sqlite_master WHERE name = 'passage_vectors_1'")).toBe(0);
    expect(db.read("SELECT embedder_id, dimensions, metric, state FROM vector_spaces").all()).toEqual([
      { embedder_id: "new", dimensions: 32, metric: "cosine", state: "active" },
    ]);
    expect(one("SELECT count(DISTINCT space) AS value FROM vector_codes")).toBe(1);
    expect((await index.search("a heron", { limit: 1 }))[0]?.item.id).toBe("later");
  });

  it("loses and doubles nothing when the process is killed in the middle", async () => {
    db.close();
    const path = join(folder, "credence.db");
    for (let round = 0; round < 3; round++) {
      await new Promise<void>((resolve, reject) => {
        const child = fork(join(import.meta.dirname, "index-until-killed.ts"), [path, "400"], { stdio: "ignore" });
        child.on("message", () => child.kill("SIGKILL"));
        child.on("exit", () => resolve());
        child.on("error", reject);
      });
    }
    db = new Connection(path);
    const index = open(new HashEmbedder());
    index.put(items(400));
    await index.settled();
    expect(one("SELECT count(*) AS value FROM passages")).toBe(400);
    expect(one("SELECT count(*) AS value FROM passage_parts")).toBe(400);
    expect(one("SELECT count(*) AS value FROM passage_vectors_1")).toBe(400);
    expect(one("SELECT count(DISTINCT part) AS value FROM vector_codes")).toBe(400);
    expect(one("SELECT count(*) AS value FROM vector_codes")).toBe(400);
    expect(db.pragma("integrity_check")).toBe("ok");
  });

  it("goes on by words when the vector table is damaged", async () => {
    const index = open(new HashEmbedder());
    index.put(items(20));
    await index.settled();
    db.exec("DROP TABLE passage_vectors_1");
    expect((await index.search("eels number 77", { limit: 1 }))[0]?.item.id).toBe("p11");
  });
});

describe("the embedding breaker", () => {
  it("searches by words alone after three failures, probes, and recovers", async () => {
    const embedder = new HashEmbedder();
    const index = open(embedder);
    index.put(items(5));
    await index.settled();
    embedder.failure = new Error("engine gone");
    for (let i = 0; i < 3; i++) {
      const [hit] = await index.search("eels number 14", { limit: 1 });
      expect(hit).toMatchObject({ item: { id: "p2" }, similarity: null });
    }
    expect(index.breaker.state).toBe("open");
    embedder.failure = null;
    expect((await index.search("eels number 14", { limit: 1 }))[0]?.similarity).toBeNull();
    await clock.advance(30_000);
    expect(index.breaker.state).toBe("half-open");
    expect((await index.search("eels number 14", { limit: 1 }))[0]?.similarity).toBeGreaterThan(0.5);
    expect(index.breaker.state).toBe("closed");
  });

  it("stays open when the probe fails, and lets only one probe through at a time", async () => {
    const breaker = new EmbeddingBreaker(clock, { threshold: 1, coolDownMs: 100 });
    await breaker.run(async () => Promise.reject(new Error("gone")));
    await clock.advance(100);
    let release: (error: Error) => void = () => {};
    const probe = breaker.run(() => new Promise<never>((_, reject) => (release = reject)));
    expect(await breaker.run(async () => "second")).toBeNull();
    release(new Error("still gone"));
    expect(await probe).toBeNull();
    expect(breaker.state).toBe("open");
  });

  it("does not count a search that was stopped", async () => {
    const breaker = new EmbeddingBreaker(clock, { threshold: 1 });
    await expect(
      breaker.run(
        async () => Promise.reject(new Error("stop")),
        () => false,
      ),
    ).rejects.toThrow("stop");
    expect(breaker.state).toBe("closed");
  });
});
