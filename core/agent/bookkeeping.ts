import type { ConversationId, TurnId } from "../contract/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

/** Work that follows a turn. It is written down before the turn ends, so that a crash does not lose it. */
export interface BookkeepingJob {
  readonly turnId: TurnId;
  readonly conversationId: ConversationId;
  /** Unique within the turn; steps of one turn run in the order they were queued. */
  readonly step: string;
  readonly payload: unknown;
}

export interface Bookkeeping {
  queue(jobs: readonly BookkeepingJob[]): void;
  /** While a turn runs, bookkeeping waits: it may not slow the answer down. Returns what lets it go on. */
  pause(): () => void;
  /** Resolves when nothing is left to do (or nothing can be done while paused or closed). */
  idle(): Promise<void>;
  /** Stops after letting go of the running job; what is left runs at the next start. */
  close(): Promise<void>;
}

const MOST_ATTEMPTS = 3;
/** A conversation is seldom over with one answer: the next message may come at once, and it goes first. */
const SETTLE_MS = 400;

interface JobRow {
  readonly turn_id: TurnId;
  readonly step: string;
  readonly conversation_id: ConversationId;
  readonly payload: string;
  readonly attempts: number;
}

export function createBookkeeping(deps: {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether jobs that an earlier run left are done too. */
  readonly adopt: boolean;
  /** Does one job; must let go soon after `signal` aborts, and may be called again for the same job. */
  readonly perform: (job: BookkeepingJob, signal: AbortSignal) => Promise<void>;
}): Bookkeeping {
  const { db, clock, log } = deps;
  let pauses = 0;
  let closed = false;
  let running: { abort: AbortController; done: Promise<void> } | null = null;
  let cancelTimer: (() => void) | null = null;
  let waiters: (() => void)[] = [];

  /** Turns whose jobs are this process's: its own, and those that an earlier run left (not those of a Credence beside it). */
  const mine = new Set<TurnId>();
  if (deps.adopt) {
    for (const row of db.read<{ turn_id: TurnId }>("SELECT DISTINCT turn_id FROM bookkeeping").all())
      mine.add(row.turn_id);
  }

  function next(): JobRow | undefined {
    if (mine.size === 0) return undefined;
    for (const row of db.read<JobRow>("SELECT * FROM bookkeeping ORDER BY queued_at, turn_id, step").iterate()) {
      if (mine.has(row.turn_id)) return row;
    }
    mine.clear();
    return undefined;
  }

  function schedule(): void {
    if (closed || pauses > 0 || running || cancelTimer) return;
    if (!next()) {
      settle();
      return;
    }
    cancelTimer = clock.after(SETTLE_MS, () => {
      cancelTimer = null;
      if (!closed && pauses === 0 && !running) run();
    });
  }

  function settle(): void {
    const done = waiters;
    waiters = [];
    for (const resolve of done) resolve();
  }

  function run(): void {
    const abort = new AbortController();
    running = {
      abort,
      done: work(abort.signal).finally(() => {
        running = null;
        schedule();
      }),
    };
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (let row = next(); row && !signal.aborted; row = next()) {
      const where = [row.turn_id, row.step] as const;
      if (row.attempts >= MOST_ATTEMPTS) {
        log.warn("bookkeeping.given-up", { step: row.step });
        db.write("DELETE FROM bookkeeping WHERE turn_id = ? AND step = ?").run(...where);
        continue;
      }
      // Counted before it runs: a job that takes the process down is not tried for ever.
      db.write("UPDATE bookkeeping SET attempts = attempts + 1 WHERE turn_id = ? AND step = ?").run(...where);
      try {
        await deps.perform(
          {
            turnId: row.turn_id,
            conversationId: row.conversation_id,
            step: row.step,
            payload: JSON.parse(row.payload),
          },
          signal,
        );
        db.write("DELETE FROM bookkeeping WHERE turn_id = ? AND step = ?").run(...where);
      } catch (thrown) {
        if (signal.aborted) {
          db.write("UPDATE bookkeeping SET attempts = attempts - 1 WHERE turn_id = ? AND step = ?").run(...where);
          return;
        }
        log.warn("bookkeeping.failed", {
          step: row.step,
          reason: thrown instanceof Error ? thrown.message : String(thrown),
        });
      }
    }
  }

  schedule();
  return {
    queue(jobs) {
      if (jobs.length === 0) return;
      const now = clock.now();
      db.transaction(() => {
        for (const [i, job] of jobs.entries()) {
          mine.add(job.turnId);
          db.write(
            "INSERT OR REPLACE INTO bookkeeping (turn_id, step, conversation_id, payload, queued_at) VALUES (?, ?, ?, ?, ?)",
          ).run(
            job.turnId,
            `${String(i).padStart(2, "0")}-${job.step}`,
            job.conversationId,
            JSON.stringify(job.payload),
            now,
          );
        }
      });
      schedule();
    },
    pause() {
      pauses += 1;
      cancelTimer?.();
      cancelTimer = null;
      running?.abort.abort();
      let released = false;
      return () => {
        if (released) return;
        released = true;
        pauses -= 1;
        schedule();
      };
    },
    async idle() {
      if (!closed && (running || next())) {
        await new Promise<void>((resolve) => {
          waiters.push(resolve);
          schedule();
        });
      }
    },
    async close() {
      closed = true;
      cancelTimer?.();
      running?.abort.abort();
      await running?.done;
      settle();
    },
  };
}
