import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createPassageIndex,
  type IndexItem,
  inlineReader,
  type OwnedPassageIndex,
  threadReader,
} from "../../../core/memory/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate } from "../../../core/storage/index.ts";
import { migrations } from "../../../core/storage/migrations/index.ts";
import { HashEmbedder } from "./hash-embedder.ts";

let folder: string;
let db: Connection;
let index: OwnedPassageIndex;
let embedder: HashEmbedder;

function open(options: { threaded?: boolean } = {}): void {
  const inline = inlineReader(db);
  index = createPassageIndex({
    db,
    clock: new ManualClock(),
    log: silentLog,
    embedder: async () => embedder,
    reader: options.threaded ? threadReader({ path: db.path, log: silentLog }, inline) : inline,
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credence-index-"));
  db = new Connection(join(folder, "credence.db"));
  migrate(db, migrations);
  embedder = new HashEmbedder();
  open();
});

afterEach(async () => {
  await index.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function item(id: string, text: string, more: Partial<IndexItem> = {}): IndexItem {
  return {
    id,
    kind: "message",
    sourceId: "c1",
    collectionId: null,
    text,
    title: "",
    place: "",
    at: 1000,
    strength: null,
    ...more,
  };
}

const ids = async (query: string, options: Parameters<OwnedPassageIndex["search"]>[1] = { limit: 5 }) =>
  (await index.search(query, options)).map((hit) => hit.item.id);

describe("the passage index", () => {
  it("finds words at once and reports what still waits for a vector", async () => {
    index.put([item("a", "My dog is called Biscuit."), item("b", "The weir was built in 1902.")]);
    expect(index.pending()).toBe(2);
    expect(await ids("what is my dog called?", { limit: 1 })).toEqual(["a"]);
    await index.settled();
    expect(index.pending()).toBe(0);
  });

  it("puts the same item twice at no cost and replaces a changed one", async () => {
    index.put([item("a", "My dog is called Biscuit.")]);
    await index.settled();
    const asked = embedder.texts;
    index.put([item("a", "My dog is called Biscuit.")]);
    await index.settled();
    expect(embedder.texts).toBe(asked);
    index.put([item("a", "My cat is called Pudding.")]);
    await index.settled();
    expect(embedder.texts).toBe(asked + 1);
    expect(await ids("dog Biscuit", { limit: 5, filter: {} })).not.toEqual(["b"]);
    expect((await index.search("cat", { limit: 1 }))[0]?.item.text).toBe("My cat is called Pudding.");
    expect(db.read<{ n: number }>("SELECT count(*) AS n FROM vector_codes").get()?.n).toBe(1);
  });

  it("filters by kind, source, collection and time inside the search", async () => {
    index.put([
      item("m", "eels at the weir", { at: 10 }),
      item("d", "eels at the weir", { kind: "document", sourceId: "doc", collectionId: "rivers", at: 20 }),
      item("f", "eels at the weir", { kind: "feed", sourceId: "entry", collectionId: "news", at: 30 }),
    ]);
    await index.settled();
    const search = (filter: Parameters<OwnedPassageIndex["search"]>[1]["filter"]) =>
      ids("eels weir", { limit: 1, ...(filter ? { filter } : {}) });
    expect(await search({ kinds: ["feed"] })).toEqual(["f"]);
    expect(await search({ sourceIds: ["doc"] })).toEqual(["d"]);
    expect(await search({ collectionIds: ["rivers"] })).toEqual(["d"]);
    expect(await search({ from: 15, to: 25 })).toEqual(["d"]);
    expect(await search({ excludeIds: ["d", "f"] })).toEqual(["m"]);
    expect(await search({ excludeSourceIds: ["c1", "doc"] })).toEqual(["f"]);
    expect(await search({ sourceIds: [] })).toEqual([]);
  });

  it("removes an item and a whole source with their words and vectors", async () => {
    index.put([
      item("a", "eels", { sourceId: "x" }),
      item("b", "eels", { sourceId: "x" }),
      item("c", "eels", { sourceId: "y" }),
    ]);
    await index.settled();
    index.remove(["a"]);
    expect((await ids("eels")).sort()).toEqual(["b", "c"]);
    index.removeSource("message", "x");
    expect(await ids("eels")).toEqual(["c"]);
    for (const table of ["passages", "passage_parts", "vector_codes", "passage_vectors_1"]) {
      expect(db.read<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n, table).toBe(1);
    }
  });

  it("finds Chinese, Japanese, Korean, Arabic and two-letter words, and an emoji costs nothing", async () => {
    index.put([
      item("zh", "我的狗叫小白，它喜欢在公园里跑步。"),
      item("ja", "東京都の図書館は月曜日に休みです。"),
      item("ko", "우리 강아지는 공원에서 뛰는 것을 좋아해요."),
      item("ar", "اسم كلبي بندق وهو يحب الحديقة"),
      item("en", "We talked about AI and the EU last night 🎉🎉"),
    ]);
    expect(await ids("狗", { limit: 1 })).toEqual(["zh"]);
    expect(await ids("公园", { limit: 1 })).toEqual(["zh"]);
    expect(await ids("東京", { limit: 1 })).toEqual(["ja"]);
    expect(await ids("강아지", { limit: 1 })).toEqual(["ko"]);
    expect(await ids("كلبي", { limit: 1 })).toEqual(["ar"]);
    expect(await ids("AI", { limit: 1 })).toEqual(["en"]);
    expect(await ids("EU?", { limit: 1 })).toEqual(["en"]);
    expect(await ids("🎉", { limit: 1 })).toBeInstanceOf(Array);
  });

  it("answers an empty query, an empty store and hostile syntax without failing", async () => {
    expect(await ids("anything")).toEqual([]);
    index.put([item("a", "eels")]);
    for (const query of ["", "   ", '"', "NEAR(", "a AND OR NOT", "text:eels*", "^^^", "'; DROP TABLE passages; --"]) {
      await expect(index.search(query, { limit: 3 })).resolves.toBeInstanceOf(Array);
    }
    expect(await index.search("eels", { limit: 0 })).toEqual([]);
  });

  it("takes a line of a million characters and clamps k", async () => {
    const line = `{"a":"${"x1y2 ".repeat(200_000)}","needle":"haystack"}`;
    index.put([item("long", line), item("a", "needle in a haystack")]);
    await index.settled();
    expect(await ids("haystack needle", { limit: 1 })).toEqual(["a"]);
    expect(Math.max(...embedder.lengths)).toBeLessThanOrEqual(8_000);
    await expect(index.search("needle", { limit: 1_000_000 })).resolves.toHaveLength(2);
  });

  it("marks the sentence that matches", async () => {
    index.put([item("a", "It rained. My dog is called Biscuit! We went home.")]);
    const [hit] = await index.search("what is my dog called", { limit: 1 });
    expect(hit?.item.text.slice(...hit.mark!)).toBe("My dog is called Biscuit!");
  });

  it("searches on a thread of its own with the same results", async () => {
    await index.close();
    open({ threaded: true });
    index.put([item("a", "My dog is called Biscuit."), item("b", "The weir was built in 1902.")]);
    await index.settled();
    expect(await ids("dog", { limit: 1 })).toEqual(["a"]);
    const stop = new AbortController();
    stop.abort();
    await expect(index.search("dog", { limit: 1, signal: stop.signal })).rejects.toThrow();
  });
});
