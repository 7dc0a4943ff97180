import type { JobKind, Parser, RunOptions } from "../../core/parsing/index.ts";
import { jobs } from "../../core/parsing/process/jobs.ts";

/** The real jobs of the parser process, run in this process: for tests of what uses the parser, not of the process. */
export function inlineParser(): Parser {
  return {
    async run(kind, params, options = {}) {
      const { onPiece, onProgress, signal } = options as RunOptions<JobKind>;
      const job = jobs[kind] as (params: unknown, context: unknown) => Promise<unknown>;
      const result = await job(params, {
        expired: () => false,
        progress: (done: number, total: number, unit: string) => onProgress?.(done, total, unit),
        piece: async (piece: never) => onPiece?.(piece),
      });
      signal?.throwIfAborted();
      return result as never;
    },
    warm() {},
    pending: () => 0,
    close() {},
  };
}
