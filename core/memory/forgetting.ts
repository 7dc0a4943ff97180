/** What decides how long something is remembered. */
export interface Remembered {
  /** How often it was used in an answer. */
  readonly uses: number;
  /** Evidence strength 0..1. */
  readonly strength: number;
  /** Mean of the five credibility signals, 0..1. */
  readonly signal: number;
  /** Days since it was last used, or since it was stored. Never negative, even when the clock went back. */
  readonly days: number;
}

/** What has no score of its own counts as this. */
export const unscored = { strength: 0.5, signal: 0.5 } as const;

/** Below these it is archived (vectors dropped, words kept), or forgotten. */
export const thresholds = { archive: 0.12, forget: 0.04 } as const;

/** Days over which a memory fades: 15 for the least credible, 45 for the most. */
export function stability(signal: number): number {
  return 30 * (0.5 + clamp(signal));
}

/**
 * `ln(n + 2) × strength × 1 / (1 + t / (9 S))`: use makes it grow slowly, time makes it fade along the power curve of
 * Wixted and Carpenter (2007) as spaced-repetition schedulers use it.
 */
export function utility(memory: Remembered): number {
  const fading = 1 / (1 + Math.max(0, memory.days) / (9 * stability(memory.signal)));
  return Math.log(memory.uses + 2) * clamp(memory.strength) * fading;
}

export type Fate = "keep" | "archive" | "forget";

/** What should happen to it. Pinned memories and sole evidence of a living belief are never asked about. */
export function fate(memory: Remembered): Fate {
  const value = utility(memory);
  return value < thresholds.forget ? "forget" : value < thresholds.archive ? "archive" : "keep";
}

/** Days from now until it would be archived if it is not used again; 0 when that is already due. */
export function daysKept(memory: Remembered): number {
  const full = Math.log(memory.uses + 2) * clamp(memory.strength);
  const days = 9 * stability(memory.signal) * (full / thresholds.archive - 1);
  return Math.max(0, Math.ceil(days - Math.max(0, memory.days)));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
