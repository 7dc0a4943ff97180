import type { Embedder } from "../../models/types.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import { EmbeddingBreaker } from "../breaker.ts";
import type { IndexItem, PassageIndex, SearchHit, SearchOptions } from "../types.ts";
import { type EmbedProgress, EmbedQueue } from "./embed-queue.ts";
import type { SearchReader } from "./reader.ts";
import { createPassageStore } from "./store.ts";

export interface PassageIndexDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: () => Promise<Embedder | null>;
  readonly reader: SearchReader;
  /** True while the user waits for the engine; background embedding then stands still. */
  readonly busy?: () => boolean;
  readonly onProgress?: (progress: EmbedProgress) => void;
}

/** The index with what only its owner needs: archiving, progress of background embedding, closing. */
export interface OwnedPassageIndex extends PassageIndex {
  archive(ids: readonly string[], archived: boolean): number;
  progress(): EmbedProgress | null;
  pauseEmbedding(): void;
  resumeEmbedding(): void;
  /** Resolves when background embedding has nothing to do or cannot go on. */
  settled(): Promise<void>;
  readonly breaker: EmbeddingBreaker;
  close(): Promise<void>;
}

export function createPassageIndex(deps: PassageIndexDeps): OwnedPassageIndex {
  const store = createPassageStore(deps.db);
  const breaker = new EmbeddingBreaker(deps.clock);
  const queue = new EmbedQueue({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    embedder: deps.embedder,
    busy: deps.busy ?? (() => false),
    ...(deps.onProgress ? { onProgress: deps.onProgress } : {}),
  });
  if (deps.db.writable) queue.kick();

  /** The query's vector; null when there is no embedder or it fails, so that search goes on by words. */
  async function embedQuery(query: string, signal: AbortSignal | undefined) {
    const made = await breaker.run(
      async () => {
        const embedder = await deps.embedder();
        if (!embedder) return { none: true } as const;
        const [data] = await embedder.embed([query.slice(0, 4000)], signal ? { signal } : {});
        return { none: false, embedderId: embedder.id, data: data! } as const;
      },
      () => !signal?.aborted,
    );
    return made && !made.none ? { embedderId: made.embedderId, data: made.data } : null;
  }

  return {
    breaker,
    put(items: readonly IndexItem[]) {
      if (items.length > 0 && store.put(items) > 0) queue.kick();
    },
    remove(ids) {
      if (ids.length > 0) store.remove(ids);
    },
    removeSource(kind, sourceId) {
      store.removeSource(kind, sourceId);
    },
    archive(ids, archived) {
      const changed = store.archive(ids, archived);
      if (!archived) queue.kick();
      return changed;
    },
    async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
      options.signal?.throwIfAborted();
      const vector = await embedQuery(query, options.signal);
      const answer = await deps.reader.search(
        { query, vector, filter: options.filter ?? {}, limit: options.limit },
        options.signal,
      );
      return [...answer.hits];
    },
    pending: () => queue.pending(),
    progress: () => queue.progress(),
    pauseEmbedding: () => queue.pause(),
    resumeEmbedding: () => queue.resume(),
    settled: () => queue.settled(),
    async close() {
      await queue.close();
      await deps.reader.close();
    },
  };
}
