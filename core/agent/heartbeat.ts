import type { Clock } from "../platform/index.ts";

/** What is going on in a turn right now, shared by everything that runs in it: the source of the progress line. */
export interface SharedActivityState {
  /** Something began; the returned handle changes its label and ends it. */
  begin(label: string): Activity;
  /** In words; what began last stands first, others are counted. "" when nothing runs. */
  summary(): string;
  readonly running: number;
}

export interface Activity {
  update(label: string, fraction?: number | null): void;
  end(): void;
}

export function createSharedActivityState(): SharedActivityState {
  const running = new Map<symbol, { label: string; fraction: number | null }>();
  return {
    begin(label) {
      const key = Symbol(label);
      running.set(key, { label, fraction: null });
      return {
        update(next, fraction = null) {
          if (running.has(key)) running.set(key, { label: next, fraction });
        },
        end() {
          running.delete(key);
        },
      };
    },
    summary() {
      const all = [...running.values()];
      const newest = all.at(-1);
      if (!newest) return "";
      const share = newest.fraction === null ? "" : ` (${Math.round(newest.fraction * 100)} %)`;
      const others = all.length > 1 ? `, and ${all.length - 1} more` : "";
      return `${newest.label}${share}${others}`;
    },
    get running() {
      return running.size;
    },
  };
}

/** The longest silence of a running turn, in milliseconds: a window may count on hearing something every 2 s. */
export const HEARTBEAT_MS = 1_500;

/** Beats whenever nothing else was heard for a while, so that a long step does not look like a dead one. */
export interface ProgressHeartbeat {
  stop(): void;
}

export function startProgressHeartbeat(deps: {
  readonly clock: Clock;
  /** Monotonic time of the last thing that was heard of the turn. */
  readonly lastHeard: () => number;
  readonly beat: () => void;
}): ProgressHeartbeat {
  let cancel = () => {};
  let stopped = false;
  function schedule(ms: number): void {
    cancel = deps.clock.after(ms, () => {
      if (stopped) return;
      const silence = deps.clock.monotonic() - deps.lastHeard();
      if (silence >= HEARTBEAT_MS) {
        deps.beat();
        schedule(HEARTBEAT_MS);
      } else {
        schedule(HEARTBEAT_MS - silence);
      }
    });
  }
  schedule(HEARTBEAT_MS);
  return {
    stop() {
      stopped = true;
      cancel();
    },
  };
}
