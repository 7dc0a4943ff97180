import { useState } from "react";
import type { Job } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Meter } from "../../components/Meter.tsx";
import { count, duration, signed } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { useNow } from "../../hooks/useNow.ts";
import { feeds as words } from "../../words/feeds.ts";
import { useJobs } from "./useJobs.ts";

const icons: Record<Job["state"], IconName> = {
  waiting: "clock",
  weighing: "steps",
  working: "steps",
  done: "beliefs",
  skipped: "still",
  failed: "alert",
  cancelled: "x",
};

/** What waits to be weighed as evidence, what is being weighed, and what came of it. */
export function Queue() {
  const [open, setOpen] = useState(false);
  const list = useJobs();
  const running = list?.jobs.some((job) => job.state === "working" || job.state === "weighing") ?? false;
  const now = useNow(running ? 1000 : null);
  if (!list) return null;
  const { queue, jobs } = list;
  const budget =
    queue.tokensPerHour > 0
      ? words.tokens(count(queue.tokensThisHour), count(queue.tokensPerHour))
      : words.tokensNoLimit(count(queue.tokensThisHour));
  return (
    <section className="queue" aria-label={words.queue}>
      <div className="queue-head">
        <span className="lab">{words.queue}</span>
        <span className="f12 faint num cut">
          {queue.held && queue.waiting > 0
            ? queue.held
            : words.queueState(running ? "1" : "0", count(queue.waiting), count(queue.capacity))}
        </span>
        <span className="grow" />
        <span className="f12 faint num nowrap">{words.budget}</span>
        {queue.tokensPerHour > 0 && (
          <Meter width={80} value={queue.tokensThisHour / queue.tokensPerHour} label={budget} />
        )}
        <span className="f12 faint num nowrap">{budget}</span>
        <Button
          kind="quiet"
          size="s"
          icon={queue.paused ? "play" : "pause"}
          onClick={() => void act("jobs.pause", { paused: !queue.paused })}
        >
          {queue.paused ? words.resumeQueue : words.pauseQueue}
        </Button>
        <IconButton
          icon={open ? "down" : "up"}
          label={words.queue}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </div>
      {open && (
        <ul className="queue-rows">
          {jobs.length === 0 && <li className="f12 faint queue-empty">{words.queueEmpty}</li>}
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function JobRow({ job, now }: { readonly job: Job; readonly now: number }) {
  const live = job.state === "weighing" || job.state === "working";
  const took = job.startedAt === null ? null : (job.endedAt ?? now) - job.startedAt;
  return (
    <li className="queue-row">
      <Icon name={icons[job.state]} size="s" className={live ? "acc" : undefined} />
      <span className="cut">{job.title}</span>
      <span className="cut f12 faint">{job.from}</span>
      <span className="cut f12">
        <Outcome job={job} />
      </span>
      <span className="f12 faint num r">{took === null ? "" : duration(Math.max(0, took))}</span>
      {job.endedAt !== null ? (
        <IconButton icon="refresh" label={words.again} onClick={() => void act("jobs.retry", { id: job.id })} />
      ) : (
        <IconButton icon="x" label={words.takeOut} onClick={() => void act("jobs.cancel", { id: job.id })} />
      )}
    </li>
  );
}

function Outcome({ job }: { readonly job: Job }) {
  const moved = job.beliefs.filter((note) => note.outcome !== "did-not-move" && note.after !== null);
  const [first] = moved;
  if (first) {
    const change = first.after! - (first.before ?? 0);
    return (
      <>
        {words.movedBeliefs(moved.length === 1 ? "1 belief by " : `${count(moved.length)} beliefs, the first by `)}
        <b className={change < 0 ? "against num" : "for num"}>{signed(change)}</b>
      </>
    );
  }
  const state = words.jobState[job.state];
  return (
    <span title={job.reason ?? undefined}>
      {job.reason && job.endedAt !== null ? `${state}: ${job.reason}` : state}
    </span>
  );
}
