import type { ReadableDatabase } from "../../storage/index.ts";

/** One bit a dimension: whether it is positive. 48 bytes for 384 dimensions. */
export function encodeSigns(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil(vector.length / 32) * 4);
  for (let i = 0; i < vector.length; i++) if (vector[i]! > 0) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}

/** How many of the nearest by bits are looked at again with the query's own floats, before the exact pass: at least this many, or this share. */
const secondPass = 2000;
const secondPassShare = 1 / 40;

export interface CodeFilter {
  readonly kinds?: readonly string[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only these parts; null means all. */
  readonly parts?: ReadonlySet<number> | null;
}

/**
 * The coarse pass over many vectors: their sign bits in memory (48 bytes each), scanned by Hamming distance, the best
 * few thousand re-ranked by the query's floats against the bits (an asymmetric estimate, as in RaBitQ, Gao and Long 2024),
 * and the best of those handed on for exact distances. Rows are only ever added; what was deleted falls out at the exact pass.
 */
export class CodeCache {
  readonly space: number;
  readonly dimensions: number;
  readonly #wordsPerCode: number;
  #codes: Uint32Array;
  #parts: Float64Array;
  #kinds: Uint8Array;
  #times: Float64Array;
  #count = 0;
  #lastSeq = 0;
  #distances = new Uint16Array(0);

  constructor(space: number, dimensions: number) {
    this.space = space;
    this.dimensions = dimensions;
    this.#wordsPerCode = Math.ceil(dimensions / 32);
    this.#codes = new Uint32Array(1024 * this.#wordsPerCode);
    this.#parts = new Float64Array(1024);
    this.#kinds = new Uint8Array(1024);
    this.#times = new Float64Array(1024);
  }

  get count(): number {
    return this.#count;
  }

  /** Reads codes written since the last call. */
  refresh(db: ReadableDatabase): void {
    const rows = db
      .read<{ seq: number; part: number; code: Buffer; kind: string; at: number }>(
        `SELECT c.seq, c.part, c.code, p.kind, p.at FROM vector_codes c
         CROSS JOIN passage_parts parts ON parts.seq = c.part CROSS JOIN passages p ON p.seq = parts.passage
         WHERE c.seq > ? AND c.space = ?`,
      )
      .iterate(this.#lastSeq, this.space);
    for (const row of rows) {
      if (this.#count === this.#parts.length) this.#grow();
      const offset = this.#count * this.#wordsPerCode;
      for (let i = 0; i < this.#wordsPerCode; i++) this.#codes[offset + i] = row.code.readUInt32LE(i * 4);
      this.#parts[this.#count] = row.part;
      this.#kinds[this.#count] = kindBit(row.kind);
      this.#times[this.#count] = row.at;
      this.#lastSeq = row.seq;
      this.#count++;
    }
  }

  #grow(): void {
    const size = Math.ceil(this.#parts.length * 1.5);
    const grown = <A extends { set(from: A): void }>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#codes = grown(new Uint32Array(size * this.#wordsPerCode), this.#codes);
    this.#parts = grown(new Float64Array(size), this.#parts);
    this.#kinds = grown(new Uint8Array(size), this.#kinds);
    this.#times = grown(new Float64Array(size), this.#times);
  }

  /** Parts that are probably nearest to `query`, best first, at most `limit`, within the filter. */
  nearest(query: Float32Array, limit: number, filter: CodeFilter = {}): number[] {
    const n = this.#count;
    if (this.#distances.length < n) this.#distances = new Uint16Array(this.#parts.length);
    const distances = this.#distances;
    const histogram = this.#scan(query, filter, distances);
    let cutoff = 0;
    for (let seen = 0; cutoff <= this.dimensions; cutoff++) {
      seen += histogram[cutoff]!;
      if (seen >= Math.max(secondPass, limit, n * secondPassShare)) break;
    }
    const candidates: number[] = [];
    for (let i = 0; i < n; i++) if (distances[i]! <= cutoff) candidates.push(i);
    const estimates = this.#estimate(query, candidates);
    const wanted = Math.min(limit, candidates.length);
    // Sorting plain numbers to find the last wanted estimate is several times as fast as sorting places by them.
    const least = Float64Array.from(estimates).sort()[candidates.length - wanted] ?? Number.NEGATIVE_INFINITY;
    const best: number[] = [];
    for (let i = 0; i < candidates.length; i++) if (estimates[i]! >= least) best.push(i);
    return best
      .sort((x, y) => estimates[y]! - estimates[x]!)
      .slice(0, wanted)
      .map((i) => this.#parts[candidates[i]!]!);
  }

  /** Hamming distances of all codes that pass the filter (the rest get the largest value), and their histogram. */
  #scan(query: Float32Array, filter: CodeFilter, distances: Uint16Array): Uint32Array {
    const width = this.#wordsPerCode;
    const bits = encodeSigns(query);
    const wanted = new Uint32Array(width);
    for (let i = 0; i < width; i++) wanted[i] = bits.readUInt32LE(i * 4);
    const histogram = new Uint32Array(width * 32 + 2);
    const kinds = filter.kinds ? filter.kinds.reduce((mask, kind) => mask | kindBit(kind), 0) : 255;
    const from = filter.from ?? Number.NEGATIVE_INFINITY;
    const to = filter.to ?? Number.POSITIVE_INFINITY;
    const parts = filter.parts ?? null;
    const open = kinds === 255 && filter.from === undefined && filter.to === undefined && parts === null;
    const codes = this.#codes;
    const triples = Math.min(width, 30);
    for (let i = 0, offset = 0; i < this.#count; i++, offset += width) {
      if (!open) {
        const at = this.#times[i]!;
        if ((this.#kinds[i]! & kinds) === 0 || at < from || at >= to || (parts && !parts.has(this.#parts[i]!))) {
          distances[i] = 0xffff;
          continue;
        }
      }
      let distance = 0;
      let w = 0;
      // Bits are counted in parallel within a word (Warren, "Hacker's Delight", 5-1), three words a time: their counts by
      // four bits add up to twelve at most, and those by bytes of all triples stay below 256 up to 1024 dimensions.
      let bytes = 0;
      for (; w + 2 < triples; w += 3) {
        let x = codes[offset + w]! ^ wanted[w]!;
        let y = codes[offset + w + 1]! ^ wanted[w + 1]!;
        let z = codes[offset + w + 2]! ^ wanted[w + 2]!;
        x -= (x >>> 1) & 0x55555555;
        y -= (y >>> 1) & 0x55555555;
        z -= (z >>> 1) & 0x55555555;
        const four =
          (x & 0x33333333) +
          ((x >>> 2) & 0x33333333) +
          (y & 0x33333333) +
          ((y >>> 2) & 0x33333333) +
          (z & 0x33333333) +
          ((z >>> 2) & 0x33333333);
        bytes += (four & 0x0f0f0f0f) + ((four >>> 4) & 0x0f0f0f0f);
      }
      bytes = (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
      distance = (bytes & 0xffff) + (bytes >>> 16);
      for (; w < width; w++) {
        let x = codes[offset + w]! ^ wanted[w]!;
        x -= (x >>> 1) & 0x55555555;
        x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
        distance += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
      }
      distances[i] = distance;
      histogram[distance]!++;
    }
    return histogram;
  }

  /** Sum of the query's floats, signed by each candidate's bits: one table look-up a byte. */
  #estimate(query: Float32Array, candidates: readonly number[]): Float64Array {
    const bytes = this.#wordsPerCode * 4;
    const table = new Float32Array(bytes * 256);
    for (let b = 0; b < bytes; b++) {
      let negative = 0;
      for (let bit = 0; bit < 8; bit++) negative -= query[b * 8 + bit] ?? 0;
      table[b * 256] = negative;
      // Each value is one with its lowest bit cleared, plus that bit.
      for (let value = 1; value < 256; value++) {
        const lowest = 31 - Math.clz32(value & -value);
        table[b * 256 + value] = table[b * 256 + (value & (value - 1))]! + 2 * (query[b * 8 + lowest] ?? 0);
      }
    }
    const view = new Uint8Array(this.#codes.buffer);
    const estimates = new Float64Array(candidates.length);
    for (let c = 0; c < candidates.length; c++) {
      const offset = candidates[c]! * bytes;
      let sum = 0;
      for (let b = 0; b < bytes; b++) sum += table[b * 256 + view[offset + b]!]!;
      estimates[c] = sum;
    }
    return estimates;
  }
}

function kindBit(kind: string): number {
  return kind === "message" ? 1 : kind === "document" ? 2 : kind === "feed" ? 4 : 8;
}
