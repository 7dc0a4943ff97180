import type { Clock } from "../platform/index.ts";

/** What one turn may spend. */
export interface CostLimits {
  /** Prompt tokens that had to be evaluated plus tokens written, side calls included. */
  readonly tokens: number;
  readonly ms: number;
}

/** Generous for a desktop: they end a turn that runs away, not one that works hard. */
export const defaultCostLimits: CostLimits = { tokens: 400_000, ms: 20 * 60_000 };

/** Price in any unit per million tokens; a model on the user's own machine costs nothing. */
export interface Pricing {
  readonly promptPerMillion: number;
  readonly generatedPerMillion: number;
}

export interface Usage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
}

/** Adds up what a turn spends and says when it is too much. */
export interface CostTracker {
  record(usage: Usage): void;
  readonly total: Usage;
  readonly sideCalls: number;
  countSideCall(): void;
  readonly cost: number;
  /** What is spent, in words for the user; null while within the limits. */
  exceeded(): string | null;
  /** Milliseconds until the time limit; 0 when over. */
  remainingMs(): number;
  /** Time in which the turn waits for the user is not spent. */
  waitForUser(waiting: boolean): void;
}

export function createCostTracker(deps: { clock: Clock; limits?: CostLimits; pricing?: Pricing }): CostTracker {
  const limits = deps.limits ?? defaultCostLimits;
  const pricing = deps.pricing ?? { promptPerMillion: 0, generatedPerMillion: 0 };
  const startedAt = deps.clock.monotonic();
  let total: Usage = { promptTokens: 0, cachedTokens: 0, generatedTokens: 0 };
  let sideCalls = 0;
  const spent = () => total.promptTokens - total.cachedTokens + total.generatedTokens;
  let waitedMs = 0;
  let waitingSince: number | null = null;
  const remainingMs = () => {
    const now = deps.clock.monotonic();
    const waited = waitedMs + (waitingSince === null ? 0 : now - waitingSince);
    return Math.max(0, limits.ms - (now - startedAt - waited));
  };

  return {
    record(usage) {
      total = {
        promptTokens: total.promptTokens + usage.promptTokens,
        cachedTokens: total.cachedTokens + usage.cachedTokens,
        generatedTokens: total.generatedTokens + usage.generatedTokens,
      };
    },
    get total() {
      return total;
    },
    get sideCalls() {
      return sideCalls;
    },
    countSideCall() {
      sideCalls += 1;
    },
    get cost() {
      return (
        ((total.promptTokens - total.cachedTokens) * pricing.promptPerMillion +
          total.generatedTokens * pricing.generatedPerMillion) /
        1e6
      );
    },
    exceeded() {
      if (spent() > limits.tokens) return `This turn has used its ${limits.tokens.toLocaleString("en")} tokens.`;
      if (remainingMs() === 0) return `This turn has used its ${minutes(limits.ms)}.`;
      return null;
    },
    remainingMs,
    waitForUser(waiting) {
      const now = deps.clock.monotonic();
      if (waitingSince !== null) waitedMs += now - waitingSince;
      waitingSince = waiting ? now : null;
    },
  };
}

function minutes(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 60_000));
  return whole === 1 ? "minute" : `${whole} minutes`;
}
