import { z } from "zod";
import { BeliefNote } from "../events/turn.ts";
import { defineMethods } from "./define.ts";

export const JobState = z.enum(["waiting", "weighing", "working", "done", "skipped", "failed", "cancelled"]);
export type JobState = z.infer<typeof JobState>;

/** One item on its way from a source to the beliefs. */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(["feed", "document"]),
  /** Opens the source: a feed entry's or a passage's id. */
  sourceId: z.string(),
  title: z.string(),
  /** The feed or collection it came from. */
  from: z.string(),
  state: JobState,
  /** Why it was skipped or failed, or what it came to, in words. */
  reason: z.string().nullable(),
  strength: z.number().nullable(),
  reasoningType: z.string().nullable(),
  beliefs: z.array(BeliefNote),
  tokens: z.number().int(),
  attempts: z.number().int(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
});
export type Job = z.infer<typeof Job>;

export const QueueState = z.object({
  paused: z.boolean(),
  /** Why nothing runs although jobs wait: "On battery", "You are chatting", "The hour's tokens are used"; null when it runs. */
  held: z.string().nullable(),
  waiting: z.number().int(),
  capacity: z.number().int(),
  tokensThisHour: z.number().int(),
  tokensPerHour: z.number().int(),
  running: z.string().nullable(),
});
export type QueueState = z.infer<typeof QueueState>;

export const jobMethods = defineMethods({
  "jobs.list": {
    params: z.object({ states: z.array(JobState).optional(), limit: z.number().int().min(1).max(500).optional() }),
    result: z.object({ jobs: z.array(Job), queue: QueueState }),
  },
  "jobs.get": { params: z.object({ id: z.string() }), result: Job },
  /** Runs a failed, skipped or cancelled job again; a skipped one this time without triage. */
  "jobs.retry": { params: z.object({ id: z.string() }), result: Job },
  "jobs.cancel": { params: z.object({ id: z.string() }), result: Job },
  "jobs.pause": { params: z.object({ paused: z.boolean() }), result: QueueState },
  "jobs.setBudget": {
    params: z.object({ tokensPerHour: z.number().int().min(0).max(10_000_000) }),
    result: QueueState,
  },
});
