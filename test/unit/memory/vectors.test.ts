import { beforeAll, describe, expect, it } from "vitest";
import { lexicalSql } from "../../../core/memory/index/lexical.ts";
import { filterSql } from "../../../core/memory/index/rows.ts";
import { createSpace, floatBlob, storeVector } from "../../../core/memory/index/spaces.ts";
import { createPassageStore } from "../../../core/memory/index/store.ts";
import { exact, maximumK, VectorSearch } from "../../../core/memory/index/vectors.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { SyntheticLibrary } from "../../bench/retrieval/synthetic.ts";

const size = 6000;
const library = new SyntheticLibrary(size, 384);
const db = new Connection(":memory:");
let space: ReturnType<typeof createSpace>;

beforeAll(() => {
  migrate(db, migrations);
  space = createSpace(db, { id: "synthetic", dimensions: 384 }, 0);
  const store = createPassageStore(db);
  for (let from = 0; from < size; from += 1000) store.put(library.items(from, from + 1000));
  db.transaction(() => {
    for (let n = 0; n < size; n++) storeVector(db, space, { seq: n + 1, kind: "document", at: n }, library.vector(n));
  });
}, 120_000);

const all = Array.from({ length: size }, (_, i) => i + 1);

describe("the coarse pass", () => {
  it("finds what an exact scan finds", () => {
    const search = new VectorSearch();
    let found = 0;
    for (let i = 0; i < 20; i++) {
      const { vector } = library.query(i);
      const truth = exact(db, space, vector, all).slice(0, 10);
      const near = new Set(search.nearest(db, space, vector, 10, {}).map((hit) => hit.part));
      found += truth.filter((hit) => near.has(hit.part)).length;
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.98);
  });

  it("gives exact cosines, best first, and clamps k", () => {
    const search = new VectorSearch();
    const hits = search.nearest(db, space, library.vector(41), 1_000_000, {});
    expect(hits).toHaveLength(maximumK);
    expect(hits[0]).toMatchObject({ part: 42 });
    expect(hits[0]!.similarity).toBeCloseTo(1, 4);
    expect(hits.every((hit, i) => i === 0 || hit.similarity <= hits[i - 1]!.similarity)).toBe(true);
  });

  it("filters inside: by collection, source, time and kind", () => {
    const search = new VectorSearch();
    const { vector } = library.query(3);
    const places = (filter: Parameters<VectorSearch["nearest"]>[4]) =>
      search.nearest(db, space, vector, 10, filter).map((hit) => hit.part - 1);
    const inCollection = places({ collectionIds: ["c2", "c3", "c4", "c5", "c6", "c0"] });
    expect(inCollection).toHaveLength(10);
    expect(inCollection.every((n) => n % 7 !== 1)).toBe(true);
    expect(places({ sourceIds: ["d3"] }).every((n) => n >> 6 === 3)).toBe(true);
    expect(places({ from: 100, to: 200 }).every((n) => n >= 100 && n < 200)).toBe(true);
    expect(places({ kinds: ["feed"] })).toEqual([]);
  });

  it("sees what was added and moved since the last search, and not what was removed", () => {
    const search = new VectorSearch();
    const vector = library.vector(size + 7);
    expect(search.nearest(db, space, vector, 1, {})[0]!.similarity).toBeLessThan(0.99);
    const store = createPassageStore(db);
    store.put([{ ...library.items(0, 1)[0]!, id: "new", text: "something new" }]);
    const part = db.read<{ part: number }>("SELECT part FROM vector_queue").get()!.part;
    db.transaction(() => storeVector(db, space, { seq: part, kind: "document", at: 1 }, vector));
    expect(search.nearest(db, space, vector, 1, {})[0]).toMatchObject({ part });
    store.put([{ ...library.items(0, 1)[0]!, id: "new", kind: "feed", text: "something new" }]);
    expect(search.nearest(db, space, vector, 1, { kinds: ["feed"] })[0]).toMatchObject({ part });
    store.remove(["new"]);
    expect(search.nearest(db, space, vector, 1, {})[0]?.part).not.toBe(part);
  });
});

describe("query plans", () => {
  const plan = (sql: string, ...params: unknown[]) =>
    db
      .read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...params)
      .map((row) => row.detail);

  it("search words through the word index, and look passages up by number", () => {
    const { sql, params } = filterSql({ kinds: ["message"], from: 1, excludeIds: ["x"] });
    const steps = plan(lexicalSql(sql), "eels", ...params, 10);
    expect(steps[0]).toMatch(/^SCAN w VIRTUAL TABLE INDEX 0:M/);
    expect(steps[1]).toBe("SEARCH p USING INTEGER PRIMARY KEY (rowid=?)");
  });

  it("use sqlite-vec's nearest neighbours with filters inside, and its look-up by number", () => {
    // vec0 tells its plan by the first letter of its index string: 1 full scan, 2 one row, 3 nearest neighbours.
    const near = plan(
      "SELECT rowid, distance FROM passage_vectors_1 WHERE embedding MATCH ? AND k = ? AND kind IN (?, ?) AND at >= ? ORDER BY distance",
      floatBlob(library.vector(0)),
      5,
      "message",
      "memory",
      1n,
    );
    expect(near[0]).toMatch(/VIRTUAL TABLE INDEX \d+:3/);
    expect(plan("SELECT embedding FROM passage_vectors_1 WHERE rowid = ?", 1n)[0]).toMatch(/VIRTUAL TABLE INDEX \d+:2/);
  });

  it("start from the source or collection that a filter names", () => {
    const listed = (filter: Parameters<typeof filterSql>[0]) => {
      const { sql, params } = filterSql(filter);
      return plan(
        `SELECT parts.seq FROM passages p CROSS JOIN passage_parts parts ON parts.passage = p.seq WHERE p.archived = 0 ${sql}`,
        ...params,
      );
    };
    expect(listed({ sourceIds: ["d1"] })[0]).toContain("USING INDEX passages_by_source");
    expect(listed({ collectionIds: ["c1"] })[0]).toContain("USING INDEX passages_by_collection");
    expect(listed({ sourceIds: ["d1"] }).at(-1)).toContain("passage_parts_by_passage");
  });
});
