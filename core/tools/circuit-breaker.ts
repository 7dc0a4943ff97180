import type { Clock } from "../platform/index.ts";
import type { BreakerState, CircuitBreaker } from "./types.ts";

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** First cool-down in milliseconds; doubles with every failed probe, up to `maxCoolDownMs`. */
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

export const TOOL_LIMITS: BreakerLimits = { failures: 3, coolDownMs: 30_000, maxCoolDownMs: 10 * 60_000 };

interface Circuit {
  failures: number;
  /** Null while CLOSED. */
  openUntil: number | null;
  coolDownMs: number;
  /** A probe runs in HALF_OPEN. */
  probing: boolean;
}

/** CLOSED -> n failures in a row -> OPEN -> cool-down -> HALF_OPEN (one probe) -> CLOSED, or OPEN again for longer. */
export function createCircuitBreaker(clock: Clock, limits: BreakerLimits = TOOL_LIMITS): CircuitBreaker {
  const circuits = new Map<string, Circuit>();

  function circuitOf(key: string): Circuit {
    let circuit = circuits.get(key);
    if (!circuit) {
      circuit = { failures: 0, openUntil: null, coolDownMs: limits.coolDownMs, probing: false };
      circuits.set(key, circuit);
    }
    return circuit;
  }

  function state(key: string): BreakerState {
    const until = circuits.get(key)?.openUntil ?? null;
    if (until === null) return "closed";
    return clock.monotonic() < until ? "open" : "half-open";
  }

  function open(circuit: Circuit): void {
    circuit.openUntil = clock.monotonic() + circuit.coolDownMs;
    circuit.probing = false;
  }

  return {
    state,
    admit(key) {
      const circuit = circuitOf(key);
      const now = state(key);
      if (now === "closed") return { admitted: true };
      const wait = Math.max(0, (circuit.openUntil ?? 0) - clock.monotonic());
      if (now === "open") return { admitted: false, retryAt: clock.now() + wait };
      if (circuit.probing) return { admitted: false, retryAt: clock.now() + circuit.coolDownMs };
      circuit.probing = true;
      return { admitted: true };
    },
    succeeded(key) {
      circuits.delete(key);
    },
    failed(key) {
      const circuit = circuitOf(key);
      circuit.failures++;
      if (circuit.openUntil !== null) {
        // Late failures of calls that were admitted before it opened change nothing; a failed probe does.
        if (!circuit.probing) return;
        circuit.coolDownMs = Math.min(circuit.coolDownMs * 2, limits.maxCoolDownMs);
        open(circuit);
      } else if (circuit.failures >= limits.failures) open(circuit);
    },
    released(key) {
      const circuit = circuits.get(key);
      if (circuit) circuit.probing = false;
    },
  };
}
