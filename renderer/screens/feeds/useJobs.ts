import type { Result } from "../../../core/contract/index.ts";
import { useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

/** The queue, live: an event carries the new state, so that watching costs no calls. Null until it is known. */
export function useJobs(): Result<"jobs.list"> | null {
  const list = useCall("jobs.list", { limit: 60 });
  useEvent("jobs.changed", ({ queue, job }) => {
    list.set((before) => {
      if (!before) return before;
      if (!job) return { ...before, queue };
      const at = before.jobs.findIndex((other) => other.id === job.id);
      const jobs = at < 0 ? [job, ...before.jobs] : before.jobs.map((other) => (other.id === job.id ? job : other));
      return { queue, jobs: jobs.sort(byPlace) };
    });
  });
  return list.data ?? null;
}

type Listed = Result<"jobs.list">["jobs"][number];

/** Running first, then waiting in their order, then ended ones, newest first: as the core lists them. */
function byPlace(a: Listed, b: Listed): number {
  if ((a.endedAt === null) !== (b.endedAt === null)) return a.endedAt === null ? -1 : 1;
  if (a.endedAt !== null && b.endedAt !== null) return b.endedAt - a.endedAt;
  const live = (job: Listed) => (job.state === "waiting" ? 1 : 0);
  return live(a) - live(b) || a.createdAt - b.createdAt;
}
