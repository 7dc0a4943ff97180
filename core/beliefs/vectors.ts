/** Vectors of statements, made once and kept; another embedder, or an edited statement, makes them anew. */
import type { Embedder } from "../models/types.ts";
import type { WritableDatabase } from "../storage/index.ts";
import type { BeliefRow } from "./rows.ts";

const BATCH = 32;

interface Row {
  belief_id: string;
  embedder_id: string;
  statement: string;
  vector: Uint8Array;
}

export class StatementVectors {
  readonly #db: WritableDatabase;
  #kept: { embedderId: string; vectors: Map<string, Float32Array> } | null = null;

  constructor(db: WritableDatabase) {
    this.#db = db;
  }

  /** One vector a belief, in the order of `beliefs`. */
  async of(beliefs: readonly BeliefRow[], embedder: Embedder, signal?: AbortSignal): Promise<Float32Array[]> {
    const kept = this.#load(embedder.id);
    const missing = beliefs.filter((belief) => !kept.has(key(belief)));
    for (let i = 0; i < missing.length; i += BATCH) {
      const batch = missing.slice(i, i + BATCH);
      const vectors = await embedder.embed(
        batch.map((belief) => belief.statement),
        signal ? { signal } : {},
      );
      this.#db.transaction(() => {
        for (const [j, belief] of batch.entries()) {
          const vector = vectors[j]!;
          kept.set(key(belief), vector);
          this.#db
            .write(
              "INSERT OR REPLACE INTO belief_vectors (belief_id, embedder_id, statement, vector) SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM beliefs WHERE id = ?)",
            )
            .run(
              belief.id,
              embedder.id,
              belief.statement,
              Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
              belief.id,
            );
        }
      });
    }
    return beliefs.map((belief) => kept.get(key(belief))!);
  }

  #load(embedderId: string): Map<string, Float32Array> {
    if (this.#kept?.embedderId === embedderId) return this.#kept.vectors;
    const vectors = new Map<string, Float32Array>();
    for (const row of this.#db.read<Row>("SELECT * FROM belief_vectors WHERE embedder_id = ?").iterate(embedderId)) {
      vectors.set(`${row.belief_id}\n${row.statement}`, toFloats(row.vector));
    }
    this.#kept = { embedderId, vectors };
    return vectors;
  }
}

const key = (belief: BeliefRow): string => `${belief.id}\n${belief.statement}`;

function toFloats(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
}
