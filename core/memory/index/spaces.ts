import type { ReadableDatabase, WritableDatabase } from "../../storage/index.ts";
import type { IndexItem } from "../types.ts";
import { encodeSigns } from "./codes.ts";

/**
 * A vector space is one embedder's vectors: its id, dimensions and metric are stored with it, so that vectors of two
 * embedders are never compared. One space answers searches; a second may be building beside it.
 */
export interface VectorSpace {
  readonly id: number;
  readonly embedderId: string;
  readonly dimensions: number;
  readonly state: "active" | "building" | "paused";
}

/** The name of a space's vec0 table. */
export function vectorTable(space: Pick<VectorSpace, "id">): string {
  return `passage_vectors_${space.id}`;
}

export function vectorSpaces(db: ReadableDatabase): VectorSpace[] {
  return db
    .read<{ id: number; embedder_id: string; dimensions: number; state: VectorSpace["state"] }>(
      "SELECT id, embedder_id, dimensions, state FROM vector_spaces ORDER BY id",
    )
    .all()
    .map((row) => ({ id: row.id, embedderId: row.embedder_id, dimensions: row.dimensions, state: row.state }));
}

/** The space that answers searches, or null while nothing was ever embedded. */
export function activeSpace(db: ReadableDatabase): VectorSpace | null {
  return vectorSpaces(db).find((space) => space.state === "active") ?? null;
}

/** Makes a space and queues every part for it. The first space of a store is active at once. */
export function createSpace(
  db: WritableDatabase,
  embedder: { readonly id: string; readonly dimensions: number },
  now: number,
): VectorSpace {
  return db.transaction(() => {
    const state = activeSpace(db) ? "building" : "active";
    const done = db
      .write("INSERT INTO vector_spaces (embedder_id, dimensions, state, created_at) VALUES (?, ?, ?, ?)")
      .run(embedder.id, embedder.dimensions, state, now);
    const id = Number(done.lastInsertRowid);
    createVectorTable(db, { id, dimensions: embedder.dimensions });
    db.write(
      `INSERT INTO vector_queue (space, part)
       SELECT ?, parts.seq FROM passage_parts parts JOIN passages p ON p.seq = parts.passage WHERE p.archived = 0`,
    ).run(id);
    return { id, embedderId: embedder.id, dimensions: embedder.dimensions, state };
  });
}

/**
 * vec0 keeps vectors in chunks, each one long value. Reading one vector walks the pages of its chunk up to it, so small
 * chunks make the exact pass several times as fast, and cost a scan next to nothing.
 */
const vectorsPerChunk = 64;

export function createVectorTable(db: WritableDatabase, space: Pick<VectorSpace, "id" | "dimensions">): void {
  db.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${vectorTable(space)} USING vec0 (
       embedding float[${space.dimensions}] distance_metric=cosine,
       kind text,
       at integer,
       chunk_size=${vectorsPerChunk}
     )`,
  );
}

/** Stores one part's vector and its code, and takes it from the queue. False when it is no longer wanted or already there. */
export function storeVector(
  db: WritableDatabase,
  space: VectorSpace,
  part: { readonly seq: number; readonly kind: string; readonly at: number },
  vector: Float32Array,
): boolean {
  const taken = db.write("DELETE FROM vector_queue WHERE space = ? AND part = ?").run(space.id, part.seq);
  if (taken.changes === 0) return false;
  db.write(`INSERT INTO ${vectorTable(space)} (rowid, embedding, kind, at) VALUES (?, ?, ?, ?)`).run(
    BigInt(part.seq),
    floatBlob(vector),
    part.kind,
    BigInt(Math.round(part.at)),
  );
  db.write("INSERT INTO vector_codes (space, part, code) VALUES (?, ?, ?)").run(
    space.id,
    part.seq,
    encodeSigns(vector),
  );
  return true;
}

export function dropVector(db: WritableDatabase, space: VectorSpace, part: number): void {
  db.write("DELETE FROM vector_queue WHERE space = ? AND part = ?").run(space.id, part);
  const had = db.write("DELETE FROM vector_codes WHERE part = ? AND space = ?").run(part, space.id);
  if (had.changes > 0) db.write(`DELETE FROM ${vectorTable(space)} WHERE rowid = ?`).run(BigInt(part));
}

/** Follows a change of what the vector's filters know; the code gets a new number so that readers load it anew. */
export function moveVector(db: WritableDatabase, spaces: readonly VectorSpace[], part: number, item: IndexItem): void {
  for (const space of spaces) {
    const code = db
      .read<{ code: Buffer }>("SELECT code FROM vector_codes WHERE part = ? AND space = ?")
      .get(part, space.id);
    if (!code) continue;
    db.write(`UPDATE ${vectorTable(space)} SET kind = ?, at = ? WHERE rowid = ?`).run(
      item.kind,
      BigInt(Math.round(item.at)),
      BigInt(part),
    );
    db.write("DELETE FROM vector_codes WHERE part = ? AND space = ?").run(part, space.id);
    db.write("INSERT INTO vector_codes (space, part, code) VALUES (?, ?, ?)").run(space.id, part, code.code);
  }
}

/** Makes a finished space the one that answers; the one before is kept until `retireSome` has taken it apart. */
export function activateSpace(db: WritableDatabase, space: VectorSpace): void {
  db.transaction(() => {
    db.write("UPDATE vector_spaces SET state = 'paused' WHERE state = 'active' AND id <> ?").run(space.id);
    db.write("UPDATE vector_spaces SET state = 'active' WHERE id = ?").run(space.id);
  });
}

/** Codes of one space deleted at a time, so that taking a large space apart never holds the process up for long. */
const retiredAtOnce = 2_000;

/** Deletes some of a space that no longer answers, the space itself last. True while there is more to do. */
export function retireSome(db: WritableDatabase, space: VectorSpace): boolean {
  const done = db
    .write("DELETE FROM vector_codes WHERE seq IN (SELECT seq FROM vector_codes WHERE space = ? LIMIT ?)")
    .run(space.id, retiredAtOnce);
  if (done.changes === retiredAtOnce) return true;
  dropSpace(db, space);
  return false;
}

export function dropSpace(db: WritableDatabase, space: VectorSpace): void {
  db.transaction(() => {
    db.exec(`DROP TABLE IF EXISTS ${vectorTable(space)}`);
    db.write("DELETE FROM vector_codes WHERE space = ?").run(space.id);
    db.write("DELETE FROM vector_queue WHERE space = ?").run(space.id);
    db.write("DELETE FROM vector_spaces WHERE id = ?").run(space.id);
  });
}

/** A vector as sqlite-vec takes it: little-endian floats. */
export function floatBlob(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
