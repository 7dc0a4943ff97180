/**
 * From sources to beliefs: items wait in a bounded queue, are weighed alone, and what is strong enough goes through the
 * whole loop, one at a time and never in the user's way.
 */
import type { Handlers } from "../contract/index.ts";
import type { IngestQueue } from "./queue.ts";

export { CAPACITY, type IngestDeps, IngestQueue, type Weighed, type Worked } from "./queue.ts";
export { Reading, type ReadingDeps } from "./reading.ts";
export { queueSettings } from "./settings.ts";
export type { Submission } from "./store.ts";

/** The `jobs.…` methods of the contract. */
export function jobHandlers(queue: IngestQueue): Pick<Handlers, Extract<keyof Handlers, `jobs.${string}`>> {
  return {
    "jobs.list": ({ states, limit }) => queue.list(states ?? null, limit ?? 100),
    "jobs.get": ({ id }) => queue.get(id),
    "jobs.retry": ({ id }) => queue.retry(id),
    "jobs.cancel": ({ id }) => queue.cancel(id),
    "jobs.pause": ({ paused }) => queue.pause(paused),
    "jobs.setBudget": ({ tokensPerHour }) => queue.setBudget(tokensPerHour),
  };
}
