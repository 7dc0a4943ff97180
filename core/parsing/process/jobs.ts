import type { JobKinds } from "../jobs.ts";
import { extractJob } from "./extract-job.ts";
import { hashJob } from "./files.ts";

/** What a job may do besides returning its result. */
export interface JobContext {
  /** True once the job's time is nearly spent: stop at the next good place and return what is there. */
  expired(): boolean;
  progress(done: number, total: number, unit: string): void;
  /** Sends a part of a large result ahead. */
  piece(piece: unknown): Promise<void>;
}

export type Jobs = {
  readonly [Kind in keyof JobKinds]: (
    params: JobKinds[Kind]["params"],
    context: JobContext,
  ) => Promise<JobKinds[Kind]["result"]>;
};

/** One function a kind. What few jobs need is loaded when the first of them comes. */
export const jobs: Jobs = {
  "document.extract": extractJob,
  "file.hash": hashJob,
  "feed.parse": async (params) => (await import("../feed/index.ts")).parseFeed(params),
  "feed.discover": async (params) => (await import("../feed/jobs.ts")).discoverJob(params),
  "feed.article": async (params) => (await import("../feed/jobs.ts")).articleJob(params),
  "feed.opml": async (params) => (await import("../feed/jobs.ts")).opmlJob(params),
  "pdf.page": async (params) => (await import("../extract/pdf/draw.ts")).drawPage(params),
  "html.readable": async (params) => (await import("../readable.ts")).readable(params),
};
