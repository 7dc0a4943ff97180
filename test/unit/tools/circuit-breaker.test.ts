import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../core/platform/index.ts";
import { createCircuitBreaker } from "../../../core/tools/index.ts";

const limits = { failures: 3, coolDownMs: 1000, maxCoolDownMs: 4000 };

describe("a circuit", () => {
  it("opens after failures in a row, probes after its cool-down, and closes on success", async () => {
    const clock = new ManualClock();
    const breaker = createCircuitBreaker(clock, limits);
    for (let i = 0; i < 3; i++) {
      expect(breaker.admit("t")).toEqual({ admitted: true });
      breaker.failed("t");
    }
    expect(breaker.state("t")).toBe("open");
    expect(breaker.admit("t")).toEqual({ admitted: false, retryAt: clock.now() + 1000 });
    await clock.advance(1000);
    expect(breaker.state("t")).toBe("half-open");
    expect(breaker.admit("t")).toEqual({ admitted: true });
    expect(breaker.admit("t").admitted).toBe(false);
    breaker.succeeded("t");
    expect([breaker.state("t"), breaker.admit("t").admitted]).toEqual(["closed", true]);
  });

  it("stays open longer with every failed probe, up to a limit", async () => {
    const clock = new ManualClock();
    const breaker = createCircuitBreaker(clock, limits);
    for (let i = 0; i < 3; i++) breaker.failed("t");
    for (const wait of [1000, 2000, 4000, 4000]) {
      await clock.advance(wait - 1);
      expect(breaker.state("t")).toBe("open");
      await clock.advance(1);
      expect(breaker.admit("t").admitted).toBe(true);
      breaker.failed("t");
    }
  });

  it("counts failures in a row only, and each tool apart", () => {
    const breaker = createCircuitBreaker(new ManualClock(), limits);
    for (let i = 0; i < 10; i++) {
      breaker.failed("t");
      breaker.failed("t");
      breaker.succeeded("t");
    }
    breaker.failed("other");
    expect([breaker.state("t"), breaker.state("other")]).toEqual(["closed", "closed"]);
  });

  it("learns nothing from a call that the user stopped", async () => {
    const clock = new ManualClock();
    const breaker = createCircuitBreaker(clock, limits);
    for (let i = 0; i < 3; i++) breaker.failed("t");
    await clock.advance(1000);
    breaker.admit("t");
    breaker.released("t");
    expect(breaker.admit("t")).toEqual({ admitted: true });
  });

  it("ignores late failures of calls that were admitted before it opened", async () => {
    const clock = new ManualClock();
    const breaker = createCircuitBreaker(clock, limits);
    for (let i = 0; i < 3; i++) breaker.failed("t");
    await clock.advance(900);
    breaker.failed("t");
    await clock.advance(100);
    expect(breaker.state("t")).toBe("half-open");
  });

  it("never admits two probes at once and never stays open for ever, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("admit", "ok", "fail", "stop", "wait"), { maxLength: 80 }),
        async (steps) => {
          const clock = new ManualClock();
          const breaker = createCircuitBreaker(clock, limits);
          let running = 0;
          for (const step of steps) {
            const before = breaker.state("t");
            if (step === "admit" && breaker.admit("t").admitted) {
              running++;
              if (before !== "closed") expect(before).toBe("half-open");
            } else if (step === "wait") await clock.advance(700);
            else if (running > 0 && step !== "admit") {
              running--;
              if (step === "ok") breaker.succeeded("t");
              else if (step === "fail") breaker.failed("t");
              else breaker.released("t");
            }
          }
          while (running-- > 0) breaker.released("t");
          await clock.advance(limits.maxCoolDownMs);
          expect(breaker.admit("t").admitted).toBe(true);
        },
      ),
    );
  });
});
