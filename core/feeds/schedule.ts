/**
 * When a feed is asked again. Pure: time and chance come in as numbers, so that a simulated month can be replayed.
 */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Attempt {
  readonly intervalMinutes: number;
  /** Failures in a row, this one included; 0 after a success. */
  readonly failures: number;
  /** What the server asked for, when it did. */
  readonly retryAfterMs: number | null;
  /** 0..1, so that many feeds do not come due at once. */
  readonly chance: number;
}

/**
 * Milliseconds until the next request: the feed's interval; after failures that doubled each time, at most a day; never
 * sooner than the server asked, but never later than a week whatever it asks. Spread by ±20 % after failures, +10 % else.
 */
export function nextDelay(attempt: Attempt): number {
  const interval = Math.max(5, attempt.intervalMinutes) * MINUTE;
  if (attempt.failures === 0) return Math.round(interval * (1 + 0.1 * attempt.chance));
  const doubled = Math.max(interval, Math.min(DAY, interval * 2 ** Math.min(attempt.failures, 12)));
  const spread = doubled * (0.8 + 0.4 * attempt.chance);
  const asked = Math.min(attempt.retryAfterMs ?? 0, 7 * DAY);
  return Math.round(Math.max(spread, asked));
}
