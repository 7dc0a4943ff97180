/**
 * Speed and size of the hybrid index on synthetic passages: one search by words and meaning against a plain scan of the
 * float vectors by sqlite-vec in the same run, how much of the exact ten nearest the coarse pass finds, insert rate, size
 * on disk and memory. Vectors come from a mixture of topics and subtopics with noise, words from topics with Zipf's law;
 * queries are blurred passages. What it cannot say: how real texts spread, which test/bench/recall.ts looks at.
 *
 *   npm run bench -- retrieval [--sizes 10000,100000,1000000] [--queries 60] [--json]
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runSearch } from "../../core/memory/index/search.ts";
import { createSpace, floatBlob, storeVector, vectorTable } from "../../core/memory/index/spaces.ts";
import { createPassageStore } from "../../core/memory/index/store.ts";
import { exact, VectorSearch } from "../../core/memory/index/vectors.ts";
import { Connection, migrate, migrations } from "../../core/storage/index.ts";
import { SyntheticLibrary } from "./retrieval/synthetic.ts";

const dimensions = 384;
const batch = 200;
const warmUp = 30;

const { values } = parseArgs({
  options: { sizes: { type: "string" }, queries: { type: "string" }, json: { type: "boolean" } },
});
const sizes = (values.sizes ?? "10000,100000").split(",").map(Number);
const queries = Number(values.queries ?? 60);
if (sizes.some((size) => !Number.isInteger(size) || size < 1000) || !(queries >= 10)) {
  console.error("Sizes are whole numbers from 1000, queries at least 10.");
  process.exit(2);
}

const rows = sizes.map((size) => {
  const row = measure(size);
  // A million takes minutes: what is known is said meanwhile.
  if (!values.json) console.error(JSON.stringify(row));
  return row;
});
if (values.json) console.log(JSON.stringify(rows));
else {
  console.table(rows);
  for (let i = 1; i < rows.length; i++) {
    const grown = rows[i]!.passages / rows[i - 1]!.passages;
    const slower = rows[i]!["hybrid p50 ms"] / rows[i - 1]!["hybrid p50 ms"];
    console.log(`${grown} times the passages: a search takes ${slower.toFixed(1)} times as long.`);
  }
}

function measure(size: number) {
  const folder = mkdtempSync(join(tmpdir(), "credence-retrieval-"));
  const path = join(folder, "credence.db");
  try {
    const db = new Connection(path);
    migrate(db, migrations);
    const library = new SyntheticLibrary(size, dimensions);
    const space = createSpace(db, { id: "synthetic", dimensions }, 0);
    const store = createPassageStore(db);

    let started = performance.now();
    let longest = 0;
    for (let from = 0; from < size; from += batch) {
      const begun = performance.now();
      store.put(library.items(from, Math.min(from + batch, size)));
      longest = Math.max(longest, performance.now() - begun);
    }
    const wordsPerSecond = size / ((performance.now() - started) / 1000);

    started = performance.now();
    let waiting = db.read<{ part: number }>("SELECT part FROM vector_queue WHERE space = ? ORDER BY part LIMIT ?");
    for (;;) {
      const parts = waiting.all(space.id, batch);
      if (parts.length === 0) break;
      db.transaction(() => {
        for (const { part } of parts)
          storeVector(db, space, { seq: part, kind: "document", at: part }, library.vector(part - 1));
      });
    }
    const vectorsPerSecond = size / ((performance.now() - started) / 1000);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");

    const reader = new Connection(path, { readonly: true });
    const vectors = new VectorSearch();
    const before = process.memoryUsage();
    started = performance.now();
    vectors.warm(reader, space);
    const warmMs = performance.now() - started;
    const plain = reader.read<{ part: number }>(
      `SELECT rowid AS part FROM ${vectorTable(space)} WHERE embedding MATCH ? AND k = 10 ORDER BY distance`,
    );
    const times = { hybrid: [] as number[], plain: [] as number[] };
    let found = 0;
    for (let i = 0; i < queries + warmUp; i++) {
      const { text, vector } = library.query(i);
      let begun = performance.now();
      const truth = plain.all(floatBlob(vector)).map((row) => row.part);
      const plainMs = performance.now() - begun;
      begun = performance.now();
      runSearch(reader, vectors, {
        query: text,
        vectors: { embedderId: "synthetic", asked: vector, told: null },
        filter: {},
        limit: 10,
        now: 0,
      });
      const hybridMs = performance.now() - begun;
      // The first ones fill the page cache for both, and let the engine compile what is called often.
      if (i < warmUp) continue;
      times.plain.push(plainMs);
      times.hybrid.push(hybridMs);
      const near = new Set(vectors.nearest(reader, space, vector, 10, {}).map((hit) => hit.part));
      found += truth.filter((part) => near.has(part)).length / 10;
    }
    const memory = process.memoryUsage();
    waiting = reader.read("SELECT 1 AS part");
    if (exact(reader, space, library.vector(0), [1])[0]!.similarity < 0.999)
      throw new Error("A stored vector differs from what was stored.");
    const row = {
      passages: size,
      "hybrid p50 ms": round(quantile(times.hybrid, 0.5)),
      "hybrid p95 ms": round(quantile(times.hybrid, 0.95)),
      "plain scan p50 ms": round(quantile(times.plain, 0.5)),
      "plain scan p95 ms": round(quantile(times.plain, 0.95)),
      ratio: Number((quantile(times.hybrid, 0.5) / quantile(times.plain, 0.5)).toFixed(3)),
      "recall@10": Number((found / queries).toFixed(4)),
      "words/s": Math.round(wordsPerSecond),
      "vectors/s": Math.round(vectorsPerSecond),
      [`longest put of ${batch} ms`]: round(longest),
      "warm ms": Math.round(warmMs),
      "MB on disk": Math.round(statSync(path).size / 1e6),
      "MB for codes": Math.round((memory.arrayBuffers - before.arrayBuffers) / 1e6),
    };
    reader.close();
    db.close();
    return row as typeof row & Record<string, number>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
