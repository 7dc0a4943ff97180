import { Worker } from "node:worker_threads";
import { CredenceError } from "../../contract/index.ts";
import type { Log } from "../../platform/index.ts";
import type { NativePaths, ReadableDatabase } from "../../storage/index.ts";
import { runSearch, type SearchAnswer, type SearchRequest } from "./search.ts";
import { VectorSearch } from "./vectors.ts";

/** Where searches run. */
export interface SearchReader {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** Searches on the caller's own connection: for databases in memory, tests and small tools. */
export function inlineReader(db: ReadableDatabase): SearchReader {
  const vectors = new VectorSearch();
  return {
    async search(request, signal) {
      signal?.throwIfAborted();
      return runSearch(db, vectors, request);
    },
    async close() {},
  };
}

export interface ThreadOptions {
  readonly path: string;
  readonly native?: NativePaths | undefined;
  /** The thread's script; defaults to the one beside this file, whether run from source or bundled. */
  readonly entry?: string | URL | undefined;
  readonly log: Log;
}

type Reply = { readonly id: number } & ({ readonly answer: SearchAnswer } | { readonly problem: string });

/** Restarts in a row after which the thread is given up and searches run inline. */
const maximumRestarts = 3;

/**
 * Searches on a thread with a read-only connection of its own, so that a scan of a million vectors does not stop the
 * process that talks to the window. A thread that dies is started again; its open searches run on `fallback`.
 */
export function threadReader(options: ThreadOptions, fallback: SearchReader): SearchReader {
  const entry = options.entry ?? defaultEntry();
  const waiting = new Map<number, { resolve: (answer: SearchAnswer) => void; reject: (error: unknown) => void }>();
  let worker: Worker | null = null;
  let nextId = 1;
  let restarts = 0;
  let closed = false;

  function start(): Worker {
    const started = new Worker(entry, { workerData: { path: options.path, native: options.native ?? {} } });
    started.unref();
    started.on("message", (reply: Reply) => {
      const open = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) started.unref();
      if ("answer" in reply) {
        restarts = 0;
        open?.resolve(reply.answer);
      } else {
        options.log.warn("memory.reader.search-failed", { problem: reply.problem });
        open?.reject(new ReaderFailed());
      }
    });
    const gone = (cause: unknown) => {
      if (worker !== started) return;
      worker = null;
      restarts++;
      if (!closed) options.log.warn("memory.reader.gone", { cause: String(cause), restarts });
      for (const open of waiting.values()) open.reject(new ReaderFailed());
      waiting.clear();
    };
    started.on("error", gone);
    started.on("exit", gone);
    return started;
  }

  return {
    async search(request, signal) {
      signal?.throwIfAborted();
      if (closed) throw new CredenceError("general.cancelled", {});
      if (restarts >= maximumRestarts) return fallback.search(request, signal);
      try {
        return await new Promise<SearchAnswer>((resolve, reject) => {
          worker ??= start();
          const id = nextId++;
          waiting.set(id, { resolve, reject });
          worker.ref();
          signal?.addEventListener("abort", () => {
            waiting.delete(id);
            reject(signal.reason);
          });
          worker.postMessage({ id, request });
        });
      } catch (thrown) {
        if (thrown instanceof ReaderFailed && !closed) return fallback.search(request, signal);
        throw thrown;
      }
    },
    async close() {
      closed = true;
      const ending = worker;
      worker = null;
      for (const open of waiting.values()) open.reject(new CredenceError("general.cancelled", {}));
      waiting.clear();
      await ending?.terminate();
    },
  };
}

class ReaderFailed extends Error {}

function defaultEntry(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("./reader-thread.ts", import.meta.url)
    : new URL("./memory-reader.js", import.meta.url);
}
