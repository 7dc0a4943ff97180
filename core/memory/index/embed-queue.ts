import type { Embedder } from "../../models/types.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import { userSpeaker } from "../types.ts";
import { activateSpace, createSpace, retireSome, storeVector, type VectorSpace, vectorSpaces } from "./spaces.ts";

/** Characters of one part that go to the embedder; it cuts to its own tokens after that. */
const maximumChars = 8_000;
const batchSize = 32;
/** Longest wait between two tries while the embedder fails. */
const maximumBackoffMs = 60_000;

export interface EmbedProgress {
  readonly embedderId: string;
  readonly done: number;
  readonly total: number;
  readonly rebuilding: boolean;
  readonly paused: boolean;
}

export interface EmbedQueueDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: () => Promise<Embedder | null>;
  /** True while the user waits for the engine: the queue then stands still. */
  readonly busy: () => boolean;
  readonly onProgress?: (progress: EmbedProgress) => void;
}

interface Waiting {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly role: string;
  readonly part_text: string | null;
  readonly text: string;
  readonly title: string;
  readonly speaker: string;
}

/**
 * Embeds what waits, oldest first, a batch at a time. What is done is recorded in the same transaction that stores the
 * vector, so a process that is killed goes on where it was, without loss or duplicate.
 */
export class EmbedQueue {
  readonly #deps: EmbedQueueDeps;
  #running: Promise<void> | null = null;
  #again = false;
  #paused = false;
  #closed = false;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;
  #wake: (() => void) | null = null;

  constructor(deps: EmbedQueueDeps) {
    this.#deps = deps;
  }

  /** Parts that wait for the embedder whose space is newest. */
  pending(): number {
    const space = vectorSpaces(this.#deps.db).at(-1);
    if (!space) return this.#deps.db.read<{ n: number }>("SELECT count(*) AS n FROM passage_parts").get()?.n ?? 0;
    return waitingIn(this.#deps.db, space);
  }

  progress(): EmbedProgress | null {
    const { db } = this.#deps;
    const space = vectorSpaces(db).at(-1);
    if (!space) return null;
    const total = db.read<{ n: number }>("SELECT count(*) AS n FROM passage_parts").get()?.n ?? 0;
    return {
      embedderId: space.embedderId,
      done: Math.max(0, total - waitingIn(db, space)),
      total,
      rebuilding: space.state !== "active",
      paused: this.#paused,
    };
  }

  /** Goes on with what an earlier run left; does not load the embedder when nothing waits. */
  continueEarlier(): void {
    const spaces = vectorSpaces(this.#deps.db);
    const unfinished = spaces.some((space) => space.state !== "active" || waitingIn(this.#deps.db, space) > 0);
    if (unfinished || (spaces.length === 0 && this.pending() > 0)) this.kick();
  }

  /** Starts or goes on; safe to call at any time. */
  kick(): void {
    if (this.#closed || this.#paused) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#again && !this.#closed) {
        this.#again = false;
        this.kick();
      }
    });
  }

  pause(): void {
    this.#paused = true;
    this.#wake?.();
  }

  resume(): void {
    this.#paused = false;
    this.kick();
  }

  /** Resolves when nothing waits any more, or when the queue cannot go on now. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { db, log } = this.#deps;
    try {
      const embedder = await this.#deps.embedder();
      if (!embedder) return;
      let space = vectorSpaces(db).find((candidate) => candidate.embedderId === embedder.id);
      if (!space) space = createSpace(db, embedder, this.#deps.clock.now());
      while (!this.#closed && !this.#paused) {
        if (this.#deps.busy()) {
          await this.#sleep(200);
          continue;
        }
        const batch = nextBatch(db, space);
        if (batch.length === 0) break;
        await this.#embedBatch(embedder, space, batch);
        this.#failures = 0;
        const progress = this.progress();
        if (progress) this.#deps.onProgress?.(progress);
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      if (!this.#closed && !this.#paused && waitingIn(db, space) === 0) await this.#finish(space);
    } catch (thrown) {
      if (this.#closed) return;
      this.#failures++;
      const wait = Math.min(1000 * 2 ** (this.#failures - 1), maximumBackoffMs);
      log.warn("memory.embedding-failed", { failures: this.#failures, wait, problem: String(thrown) });
      this.#cancelTimer?.();
      this.#cancelTimer = this.#deps.clock.after(wait, () => this.kick());
    }
  }

  /** Everything has its vector: this space answers from now on, and those of other embedders go, a little at a time. */
  async #finish(space: VectorSpace): Promise<void> {
    const { db, log } = this.#deps;
    if (space.state !== "active") {
      activateSpace(db, space);
      log.info("memory.reindexed", { embedder: space.embedderId });
    }
    for (const other of vectorSpaces(db)) {
      if (other.id === space.id) continue;
      while (!this.#closed && retireSome(db, other)) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Embeds a batch; when it fails twice, its texts go one by one, so that one bad text does not stop the rest. */
  async #embedBatch(embedder: Embedder, space: VectorSpace, batch: readonly Waiting[]): Promise<void> {
    let vectors: (Float32Array | null)[];
    try {
      vectors = await embedder.embed(batch.map(textOf), { background: true });
    } catch (thrown) {
      if (this.#failures === 0 || batch.length === 1) throw thrown;
      vectors = [];
      let worked = 0;
      for (const item of batch) {
        const one = await embedder.embed([textOf(item)], { background: true }).catch(() => null);
        vectors.push(one?.[0] ?? null);
        if (one) worked++;
      }
      if (worked === 0) throw thrown;
    }
    const { db, log } = this.#deps;
    db.transaction(() => {
      batch.forEach((item, i) => {
        const vector = vectors[i];
        if (vector && vector.length === space.dimensions && Number.isFinite(vector[0])) {
          storeVector(db, space, item, vector);
        } else {
          db.write("DELETE FROM vector_queue WHERE space = ? AND part = ?").run(space.id, item.seq);
          log.warn("memory.part-not-embedded", { part: item.seq });
        }
      });
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function waitingIn(db: WritableDatabase, space: VectorSpace): number {
  return db.read<{ n: number }>("SELECT count(*) AS n FROM vector_queue WHERE space = ?").get(space.id)?.n ?? 0;
}

function nextBatch(db: WritableDatabase, space: VectorSpace): Waiting[] {
  return db
    .read<Waiting>(
      `SELECT parts.seq, p.kind, p.at, parts.role, substr(parts.text, 1, ${maximumChars}) AS part_text,
         substr(p.text, 1, ${maximumChars}) AS text, p.title, p.speaker
       FROM vector_queue q CROSS JOIN passage_parts parts ON parts.seq = q.part CROSS JOIN passages p ON p.seq = parts.passage
       WHERE q.space = ? ORDER BY q.part LIMIT ${batchSize}`,
    )
    .all(space.id);
}

/** What the embedder reads: a part's own text, or the passage under who said it or what it belongs to. */
function textOf(item: Waiting): string {
  if (item.part_text !== null) return item.part_text;
  if (item.speaker === userSpeaker) return item.text;
  if (item.speaker) return `${item.speaker}: ${item.text}`;
  return item.title ? `${item.title}\n${item.text}` : item.text;
}
