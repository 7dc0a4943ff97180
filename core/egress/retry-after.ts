/** Retry-After (RFC 9110): seconds or a date. Null when absent or not readable; never negative, at most 30 days. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  if (!Number.isFinite(ms)) return null;
  return Math.min(Math.max(0, ms), 30 * 24 * 3_600_000);
}
