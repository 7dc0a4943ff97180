import type { Embedder } from "../../models/types.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import { EmbeddingBreaker } from "../breaker.ts";
import { asTold, parseQuery } from "../text/query.ts";
import type { IndexItem, PassageIndex, SearchHit, SearchOptions } from "../types.ts";
import { type EmbedProgress, EmbedQueue } from "./embed-queue.ts";
import type { SearchReader } from "./reader.ts";
import { knownSpeakers, type QueryVectors } from "./search.ts";
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
  /** Another embedder may answer now: what it has not embedded is queued. */
  embedderChanged(): void;
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
  if (deps.db.writable) queue.continueEarlier();

  /** The query's vectors; null when there is no embedder or it fails, so that search goes on by words. */
  async function embedQuery(query: string, signal: AbortSignal | undefined): Promise<QueryVectors | null> {
    const asked = query.slice(0, 4000);
    const { people } = parseQuery(asked, knownSpeakers(deps.db));
    const texts = people.length > 0 ? [asked, asTold(asked, people)] : [asked];
    const made = await breaker.run(
      async () => {
        const embedder = await deps.embedder();
        if (!embedder) return { vectors: null };
        const [first, second] = await embedder.embed(texts, signal ? { signal } : {});
        return { vectors: { embedderId: embedder.id, asked: first!, told: second ?? null } };
      },
      () => !signal?.aborted,
    );
    return made?.vectors ?? null;
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
      if (!archived && changed > 0) queue.kick();
      return changed;
    },
    async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
      options.signal?.throwIfAborted();
      const vectors = await embedQuery(query, options.signal);
      const answer = await deps.reader.search(
        { query, vectors, filter: options.filter ?? {}, limit: options.limit, now: options.now ?? deps.clock.now() },
        options.signal,
      );
      return [...answer.hits];
    },
    pending: () => queue.pending(),
    progress: () => queue.progress(),
    pauseEmbedding: () => queue.pause(),
    resumeEmbedding: () => queue.resume(),
    embedderChanged: () => {
      if (deps.db.writable && queue.progress()) queue.kick();
    },
    settled: () => queue.settled(),
    async close() {
      await queue.close();
      await deps.reader.close();
    },
  };
}
