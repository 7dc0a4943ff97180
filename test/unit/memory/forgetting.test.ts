import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysKept, fate, stability, utility } from "../../../core/memory/forgetting.ts";

const memory = fc.record({
  uses: fc.nat({ max: 10_000 }),
  strength: fc.double({ min: 0, max: 1, noNaN: true }),
  signal: fc.double({ min: 0, max: 1, noNaN: true }),
  days: fc.double({ min: 0, max: 40_000, noNaN: true }),
});

describe("forgetting", () => {
  it("follows ln(n+2) × strength × 1/(1 + t/(9S)) with S between 15 and 45 days", () => {
    expect(stability(0)).toBe(15);
    expect(stability(1)).toBe(45);
    expect(utility({ uses: 0, strength: 1, signal: 0.5, days: 0 })).toBeCloseTo(Math.log(2));
    expect(utility({ uses: 3, strength: 0.5, signal: 0.5, days: 270 })).toBeCloseTo((Math.log(5) * 0.5) / 2);
  });

  it("never rises with time and never falls with use", () => {
    fc.assert(
      fc.property(memory, fc.double({ min: 0, max: 1000, noNaN: true }), (m, later) => {
        expect(utility({ ...m, days: m.days + later })).toBeLessThanOrEqual(utility(m));
        expect(utility({ ...m, uses: m.uses + 1 })).toBeGreaterThanOrEqual(utility(m));
      }),
    );
  });

  it("says for how many days something is kept, in agreement with its fate then", () => {
    fc.assert(
      fc.property(memory, (m) => {
        const days = daysKept(m);
        if (days > 1) expect(fate({ ...m, days: m.days + days - 1.5 })).toBe("keep");
        expect(fate({ ...m, days: m.days + days + 1 })).not.toBe("keep");
      }),
    );
  });
});
