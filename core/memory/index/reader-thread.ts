/** The reading thread: one read-only connection, one search at a time, in the order they were asked for. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type NativePaths } from "../../storage/index.ts";
import { runSearch, type SearchRequest } from "./search.ts";
import { VectorSearch } from "./vectors.ts";

const { path, native } = workerData as { path: string; native: NativePaths };
const db = new Connection(path, { readonly: true, native });
const vectors = new VectorSearch();

parentPort?.on("message", ({ id, request }: { id: number; request: SearchRequest }) => {
  try {
    parentPort?.postMessage({ id, answer: runSearch(db, vectors, request) });
  } catch (thrown) {
    parentPort?.postMessage({ id, problem: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
