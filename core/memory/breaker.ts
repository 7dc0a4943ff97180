import type { Clock } from "../platform/index.ts";

export type BreakerState = "closed" | "open" | "half-open";

/**
 * Stops asking an embedder that keeps failing: after `threshold` failures in a row search is lexical; one probe is let
 * through after each cool-down, and its success closes the breaker again.
 */
export class EmbeddingBreaker {
  readonly #clock: Clock;
  readonly #threshold: number;
  readonly #coolDownMs: number;
  #failures = 0;
  #openedAt: number | null = null;
  #probing = false;

  constructor(clock: Clock, options: { threshold?: number; coolDownMs?: number } = {}) {
    this.#clock = clock;
    this.#threshold = options.threshold ?? 3;
    this.#coolDownMs = options.coolDownMs ?? 30_000;
  }

  get state(): BreakerState {
    if (this.#openedAt === null) return "closed";
    return this.#clock.monotonic() - this.#openedAt >= this.#coolDownMs ? "half-open" : "open";
  }

  /** Runs `work` unless the breaker is open or another probe is under way; null means: go on without vectors. */
  async run<Value>(
    work: () => Promise<Value>,
    isFailure: (thrown: unknown) => boolean = () => true,
  ): Promise<Value | null> {
    const state = this.state;
    if (state === "open" || (state === "half-open" && this.#probing)) return null;
    const probe = state === "half-open";
    if (probe) this.#probing = true;
    try {
      const value = await work();
      this.#failures = 0;
      this.#openedAt = null;
      return value;
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown;
      this.#failures++;
      if (probe || this.#failures >= this.#threshold) this.#openedAt = this.#clock.monotonic();
      return null;
    } finally {
      if (probe) this.#probing = false;
    }
  }
}
