import type { ReadableDatabase } from "../../storage/index.ts";
import type { SearchFilter } from "../types.ts";
import { CodeCache } from "./codes.ts";
import type { Background } from "./rank.ts";
import { filterSql } from "./rows.ts";
import { floatBlob, type VectorSpace, vectorTable } from "./spaces.ts";

/** sqlite-vec refuses a larger k. */
export const maximumK = 4096;
/** Up to here a plain scan of the floats, or reading each of a filter's vectors, is as fast as anything. */
const exactUpTo = 5_000;
/** Parts whose exact distance is computed after the coarse pass. */
const rescored = 200;

/** Places in the store at which two neighbouring parts each are read to learn what an unrelated text looks like. */
const sampleSize = 16;

export interface NearPart {
  readonly part: number;
  readonly similarity: number;
}

/** Nearest parts by cosine. Chooses by size and filter between a listed read, an exact scan and the coarse pass. */
export class VectorSearch {
  #cache: CodeCache | null = null;

  nearest(db: ReadableDatabase, space: VectorSpace, query: Float32Array, k: number, filter: SearchFilter): NearPart[] {
    const limit = Math.min(Math.max(1, k), maximumK);
    const listed = this.#listed(db, filter);
    if (listed && listed.length <= exactUpTo) return exact(db, space, query, listed).slice(0, limit);
    const size =
      db
        .read<{ n: number }>(
          "SELECT (SELECT max(seq) FROM vector_codes) - (SELECT min(seq) FROM vector_codes) + 1 AS n",
        )
        .get()?.n ?? 0;
    if (!listed && size <= exactUpTo) return scan(db, space, query, limit, filter);
    if (this.#cache?.space !== space.id) this.#cache = new CodeCache(space.id, space.dimensions);
    this.#cache.refresh(db);
    const candidates = this.#cache.nearest(query, Math.max(rescored, limit * 3), {
      kinds: filter.kinds,
      from: filter.from,
      to: filter.to,
      parts: listed && new Set(listed),
    });
    return exact(db, space, query, candidates).slice(0, limit);
  }

  /** Mean cosine of the query to a fixed sample of parts, by role: what unrelated texts look like to this embedder. */
  background(db: ReadableDatabase, space: VectorSpace, query: Float32Array): Background | null {
    const range = db
      .read<{ low: number | null; high: number | null }>(
        "SELECT (SELECT min(seq) FROM vector_codes) AS low, (SELECT max(seq) FROM vector_codes) AS high",
      )
      .get();
    if (!range || range.low === null || range.high === null) return null;
    const pick = db.read<{ part: number; role: string }>(
      `SELECT c.part, parts.role FROM vector_codes c CROSS JOIN passage_parts parts ON parts.seq = c.part
       WHERE c.seq >= ? AND c.space = ? ORDER BY c.seq LIMIT 2`,
    );
    const sums = { meaning: 0, window: 0 };
    const counts = { meaning: 0, window: 0 };
    for (let i = 0; i < sampleSize; i++) {
      const from: number = range.low + Math.floor(((range.high - range.low) * i) / sampleSize);
      for (const { part, role } of pick.all(from, space.id)) {
        const similarity = similarityOf(db, space, query, part);
        if (similarity === null) continue;
        const kind = role === "window" ? "window" : "meaning";
        sums[kind] += similarity;
        counts[kind]++;
      }
    }
    const mean = (kind: "meaning" | "window") => (counts[kind] > 0 ? sums[kind] / counts[kind] : 0);
    return counts.meaning + counts.window < sampleSize / 2
      ? null
      : { meaning: mean("meaning"), window: mean("window") };
  }

  /** Loads codes ahead of the first search. */
  warm(db: ReadableDatabase, space: VectorSpace): void {
    if (this.#cache?.space !== space.id) this.#cache = new CodeCache(space.id, space.dimensions);
    this.#cache.refresh(db);
  }

  /** The parts that a filter by source or collection leaves; null when there is no such filter. */
  #listed(db: ReadableDatabase, filter: SearchFilter): number[] | null {
    if (!filter.sourceIds && !filter.collectionIds) return null;
    const { sql, params } = filterSql(filter);
    const rows = db
      .read<{ seq: number }>(
        `SELECT parts.seq FROM passages p CROSS JOIN passage_parts parts ON parts.passage = p.seq
         WHERE p.archived = 0 ${sql}`,
      )
      .all(...params);
    return rows.map((row) => row.seq);
  }
}

/** Exact cosines of the listed parts, best first; parts without a vector are left out. */
export function exact(
  db: ReadableDatabase,
  space: VectorSpace,
  query: Float32Array,
  parts: readonly number[],
): NearPart[] {
  const read = db.read<{ embedding: Buffer }>(`SELECT embedding FROM ${vectorTable(space)} WHERE rowid = ?`);
  const found: NearPart[] = [];
  for (const part of new Set(parts)) {
    const row = read.get(BigInt(part));
    if (row) found.push({ part, similarity: cosine(query, row.embedding) });
  }
  return found.sort((a, b) => b.similarity - a.similarity || a.part - b.part);
}

/** The exact cosine of one part; null where it has no vector. */
export function similarityOf(
  db: ReadableDatabase,
  space: VectorSpace,
  query: Float32Array,
  part: number,
): number | null {
  const row = db
    .read<{ embedding: Buffer }>(`SELECT embedding FROM ${vectorTable(space)} WHERE rowid = ?`)
    .get(BigInt(part));
  return row ? cosine(query, row.embedding) : null;
}

/** sqlite-vec's own scan of all floats: KNN needs MATCH and k; kinds and times are filtered inside it. */
function scan(
  db: ReadableDatabase,
  space: VectorSpace,
  query: Float32Array,
  k: number,
  filter: SearchFilter,
): NearPart[] {
  const conditions = ["embedding MATCH ?", "k = ?"];
  const params: unknown[] = [floatBlob(query), k];
  if (filter.kinds) {
    conditions.push(`kind IN (${filter.kinds.map(() => "?").join(", ")})`);
    params.push(...filter.kinds);
  }
  if (filter.from !== undefined) {
    conditions.push("at >= ?");
    params.push(BigInt(Math.round(filter.from)));
  }
  if (filter.to !== undefined) {
    conditions.push("at < ?");
    params.push(BigInt(Math.round(filter.to)));
  }
  return db
    .read<{ part: number; distance: number }>(
      `SELECT rowid AS part, distance FROM ${vectorTable(space)} WHERE ${conditions.join(" AND ")} ORDER BY distance`,
    )
    .all(...params)
    .map((row) => ({ part: row.part, similarity: 1 - row.distance }));
}

/** Cosine of a unit query and a stored vector. */
function cosine(query: Float32Array, blob: Buffer): number {
  // A blob's offset in its pool need not be a multiple of four.
  const stored =
    blob.byteOffset % 4 === 0
      ? new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4)
      : new Float32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
  let dot = 0;
  let norm = 0;
  for (let i = 0; i < query.length; i++) {
    const value = stored[i]!;
    dot += query[i]! * value;
    norm += value * value;
  }
  return norm > 0 ? dot / Math.sqrt(norm) : 0;
}
