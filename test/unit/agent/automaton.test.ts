import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CallOutcome,
  initialState,
  isTerminal,
  type LoopEffect,
  type LoopEvent,
  type LoopState,
  type PlannedCall,
  transition,
} from "../../../core/agent/automaton.ts";

function run(
  events: readonly LoopEvent[],
  state: LoopState = initialState(),
): { state: LoopState; effects: LoopEffect[] } {
  const effects: LoopEffect[] = [];
  for (const event of events) {
    const next = transition(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

const call = (callId: string, over: Partial<PlannedCall> = {}): PlannedCall => ({
  callId,
  fingerprint: `tool(${callId})`,
  lane: "together",
  asks: false,
  ...over,
});
const allow = (callId: string): LoopEvent => ({ type: "gated", callId, decision: "allow" });
const ended = (callId: string, outcome: CallOutcome = "ok"): LoopEvent => ({ type: "call-ended", callId, outcome });

describe("transitions", () => {
  it("goes from context over thinking to a finished answer", () => {
    const { state, effects } = run([{ type: "context-ready" }, { type: "answered" }]);
    expect(state.phase).toBe("COMPLETED");
    expect(effects).toEqual([
      { type: "think", iteration: 1, nudge: null },
      { type: "finish", ending: { outcome: "completed" } },
    ]);
  });

  it("runs the safe calls of a batch together and the others one by one, then consolidates once", () => {
    const calls = [call("a"), call("s", { lane: "alone" }), call("b"), call("t", { lane: "alone" })];
    const { state, effects } = run([
      { type: "context-ready" },
      { type: "called", calls },
      allow("a"),
      allow("b"),
      ended("b"),
      ended("a"),
      allow("s"),
      ended("s"),
      { type: "gated", callId: "t", decision: "ask" },
      { type: "decided", callId: "t", decision: "allow" },
      ended("t"),
    ]);
    expect(state.phase).toBe("ACTING");
    expect(effects.slice(1)).toEqual([
      { type: "consult-gate", callId: "a" },
      { type: "consult-gate", callId: "b" },
      { type: "run-call", callId: "a" },
      { type: "run-call", callId: "b" },
      { type: "consult-gate", callId: "s" },
      { type: "run-call", callId: "s" },
      { type: "consult-gate", callId: "t" },
      { type: "ask-approval", callId: "t" },
      { type: "run-call", callId: "t" },
      { type: "consolidate", callIds: ["a", "s", "b", "t"] },
    ]);
  });

  it("takes a denied call back to thinking with its reason noted and nothing consolidated", () => {
    const { state, effects } = run([
      { type: "context-ready" },
      { type: "called", calls: [call("a", { lane: "alone" })] },
      { type: "gated", callId: "a", decision: "deny" },
    ]);
    expect(state).toMatchObject({ phase: "THINKING", iteration: 2, stall: 1 });
    expect(effects.slice(-2)).toEqual([
      { type: "note-refusal", callId: "a", outcome: "denied" },
      { type: "think", iteration: 2, nudge: null },
    ]);
  });

  it("waits for the user in CLARIFYING and consolidates the answer", () => {
    const { state, effects } = run([
      { type: "context-ready" },
      { type: "called", calls: [call("q", { asks: true })] },
      allow("q"),
    ]);
    expect(state.phase).toBe("CLARIFYING");
    expect(effects.at(-1)).toEqual({ type: "ask-user", callId: "q" });
    const after = run([{ type: "question-answered", callId: "q" }], state);
    expect(after.effects).toEqual([{ type: "consolidate", callIds: ["q"] }]);
    expect(after.state.phase).toBe("ACTING");
  });

  it("never runs a repeat: the stall counter rises and at its limit comes the nudge", () => {
    const again = (id: string): LoopEvent => ({ type: "called", calls: [call(id, { fingerprint: "search(same)" })] });
    const { state, effects } = run([
      { type: "context-ready" },
      again("1"),
      allow("1"),
      ended("1"),
      { type: "consolidated", progress: true },
      again("2"),
      again("3"),
      again("4"),
    ]);
    expect(effects.filter((effect) => effect.type === "run-call")).toHaveLength(1);
    expect(effects.at(-1)).toEqual({ type: "think", iteration: 5, nudge: "stalled" });
    expect(run([again("5")], state).state).toMatchObject({ phase: "FAILED", ending: { reason: "stalled" } });
    expect(run([{ type: "answered" }], state).state.phase).toBe("COMPLETED");
  });

  it("gives a malformed call back once; the second brings the nudge", () => {
    const bad: LoopEvent = { type: "malformed", problem: "not JSON" };
    const once = run([{ type: "context-ready" }, bad]);
    expect(once.effects.slice(1)).toEqual([
      { type: "note-malformed", problem: "not JSON" },
      { type: "think", iteration: 2, nudge: null },
    ]);
    expect(run([bad], once.state).effects.at(-1)).toEqual({ type: "think", iteration: 3, nudge: "malformed" });
  });

  it("fails at the ceiling after the last action is consolidated", () => {
    const { state, effects } = run(
      [
        { type: "context-ready" },
        { type: "called", calls: [call("a")] },
        allow("a"),
        ended("a"),
        { type: "consolidated", progress: true },
      ],
      initialState({ limit: 1 }),
    );
    expect(state.phase).toBe("FAILED");
    expect(effects.slice(-2)).toEqual([
      { type: "abort" },
      { type: "finish", ending: { outcome: "failed", reason: "ceiling" } },
    ]);
  });
});

const OUTCOMES: readonly CallOutcome[] = ["ok", "ok", "ok", "error", "interrupted", "circuit-open"];

/** An event that could come next, late and foreign ones included, chosen by one drawn number. */
function eventFrom(state: LoopState, drawn: number): LoopEvent {
  let rest = drawn;
  const draw = (n: number) => {
    const value = rest % n;
    rest = Math.floor(rest / n);
    return value;
  };
  const kind = draw(40);
  const ids = [...state.batch.map((other) => other.callId), "unknown"];
  const callId = ids[draw(ids.length)] ?? "unknown";
  if (kind < 3) return { type: "context-ready" };
  if (kind < 4) return { type: "answered" };
  if (kind < 12) {
    const calls = Array.from({ length: draw(5) }, (_, i) =>
      call(`c${drawn}-${i}`, {
        fingerprint: `f${draw(14)}()`,
        lane: draw(2) ? "together" : "alone",
        asks: draw(4) === 0,
      }),
    );
    return { type: "called", calls };
  }
  if (kind < 13) return { type: "malformed", problem: "?" };
  if (kind < 20)
    return { type: "gated", callId, decision: (["allow", "allow", "ask", "deny"] as const)[draw(4)] ?? "allow" };
  if (kind < 24) return { type: "decided", callId, decision: draw(2) ? "allow" : "deny" };
  if (kind < 27) return { type: "question-answered", callId };
  if (kind < 34) return { type: "call-ended", callId, outcome: OUTCOMES[draw(OUTCOMES.length)] ?? "ok" };
  if (kind < 39) return { type: "consolidated", progress: draw(2) === 0 };
  return (
    ([{ type: "interrupted", by: "stop" }, { type: "budget-spent" }, { type: "engine-failed" }] as const)[draw(3)] ?? {
      type: "budget-spent",
    }
  );
}

interface Step {
  readonly before: LoopState;
  readonly event: LoopEvent;
  readonly after: LoopState;
  readonly effects: readonly LoopEffect[];
}

/** A walk of random events, each chosen with knowledge of the state it meets, so that walks get deep. */
const walk = fc
  .record({
    limit: fc.integer({ min: 1, max: 14 }),
    stallLimit: fc.integer({ min: 1, max: 4 }),
    draws: fc.array(fc.nat({ max: 2 ** 48 }), { minLength: 1, maxLength: 160, size: "max" }),
  })
  .map(({ limit, stallLimit, draws }): { limit: number; steps: Step[] } => {
    let state = initialState({ limit, stallLimit });
    const steps = draws.map((drawn): Step => {
      const before = state;
      const event = eventFrom(before, drawn);
      const { state: after, effects } = transition(before, event);
      state = after;
      return { before, event, after, effects };
    });
    return { limit, steps };
  });

const effectsOf = (steps: readonly Step[]) => steps.flatMap((step) => step.effects);

describe("over random event sequences", () => {
  const check = (property: (walked: { limit: number; steps: Step[] }) => void) =>
    fc.assert(fc.property(walk, property), { numRuns: 600 });

  it("sees every phase and every effect, so that nothing below holds emptily", () => {
    const steps = fc.sample(walk, 600).flatMap((walked) => walked.steps);
    expect(new Set(steps.map((step) => step.after.phase))).toEqual(
      new Set([
        "CONTEXT",
        "THINKING",
        "ACTING",
        "WAITING_APPROVAL",
        "CLARIFYING",
        "COMPLETED",
        "FAILED",
        "INTERRUPTED",
      ]),
    );
    expect(new Set(effectsOf(steps).map((effect) => effect.type)).size).toBe(10);
    expect(steps.some((step) => step.before.nudged)).toBe(true);
    expect(
      steps.some((step) => step.after.ending?.outcome === "failed" && step.after.ending.reason === "ceiling"),
    ).toBe(true);
  });

  it("never thinks more often than the ceiling allows", () => {
    check(({ limit, steps }) => {
      expect(effectsOf(steps).filter((effect) => effect.type === "think").length).toBeLessThanOrEqual(limit);
    });
  });

  it("absorbs every event once a terminal phase is reached", () => {
    check(({ steps }) => {
      for (const step of steps) {
        if (!isTerminal(step.before)) continue;
        expect(step.after).toBe(step.before);
        expect(step.effects).toEqual([]);
      }
    });
  });

  it("finishes exactly once, as the last effect, and only on entering a terminal phase: the lock is always released", () => {
    check(({ steps }) => {
      for (const step of steps) {
        const enters = !isTerminal(step.before) && isTerminal(step.after);
        const finishes = step.effects.filter((effect) => effect.type === "finish").length;
        expect(finishes).toBe(enters ? 1 : 0);
        if (enters) expect(step.effects.at(-1)?.type).toBe("finish");
      }
    });
  });

  it("never runs the same fingerprint twice", () => {
    check(({ steps }) => {
      const prints = new Map<string, string>();
      for (const step of steps) {
        if (step.event.type === "called") for (const c of step.event.calls) prints.set(c.callId, c.fingerprint);
      }
      const ran = effectsOf(steps).flatMap((effect) =>
        effect.type === "run-call" || effect.type === "ask-user" ? [prints.get(effect.callId)] : [],
      );
      expect(new Set(ran).size).toBe(ran.length);
    });
  });

  it("consolidates each action that ran at most once, and before the next thought", () => {
    check(({ steps }) => {
      let open = 0;
      for (const effect of effectsOf(steps)) {
        if (effect.type === "consolidate") {
          expect(effect.callIds.length).toBeGreaterThan(0);
          open += 1;
        }
        expect(open).toBeLessThanOrEqual(1);
        if (effect.type === "think") open = 0;
      }
      for (const step of steps) {
        const thinksAfterAction =
          step.before.phase === "ACTING" && step.effects.some((effect) => effect.type === "think");
        if (!thinksAfterAction) continue;
        const ran = step.before.batch.some((c) => c.ran);
        if (ran) expect(step.event.type).toBe("consolidated");
      }
    });
  });

  it("runs a call only after the gate allowed it, or the user did", () => {
    check(({ steps }) => {
      for (const step of steps) {
        for (const effect of step.effects) {
          if (effect.type !== "run-call" && effect.type !== "ask-user") continue;
          const { event } = step;
          const allowed =
            (event.type === "gated" || event.type === "decided") &&
            event.decision === "allow" &&
            event.callId === effect.callId;
          expect(allowed).toBe(true);
        }
      }
    });
  });

  it("never runs two calls of the lane `alone` at once, nor one beside a safe one", () => {
    check(({ steps }) => {
      for (const { after } of steps) {
        const busy = after.batch.filter(
          (c) => c.status === "running" || c.status === "waiting" || c.status === "asking",
        );
        if (busy.some((c) => c.lane === "alone")) expect(busy).toHaveLength(1);
      }
    });
  });

  it("says with its phase what it waits for", () => {
    check(({ steps }) => {
      for (const { after } of steps) {
        expect(after.phase === "WAITING_APPROVAL").toBe(after.batch.some((c) => c.status === "waiting"));
        expect(after.phase === "CLARIFYING").toBe(after.batch.some((c) => c.status === "asking"));
        if (after.phase === "ACTING") expect(after.batch.length).toBeGreaterThan(0);
      }
    });
  });

  it("never gets stuck: whatever it waits for, there is an event that moves it on", () => {
    check(({ steps }) => {
      for (const { after } of steps) {
        if (isTerminal(after)) continue;
        expect(movers(after).some((event) => transition(after, event).state !== after)).toBe(true);
      }
    });
  });

  it("after the nudge only an answer or an end can follow", () => {
    check(({ steps }) => {
      for (const step of steps) {
        if (!step.before.nudged) continue;
        expect(step.effects.every((effect) => effect.type === "finish" || effect.type === "abort")).toBe(true);
      }
    });
  });
});

function movers(state: LoopState): LoopEvent[] {
  switch (state.phase) {
    case "CONTEXT":
      return [{ type: "context-ready" }];
    case "THINKING":
      return [{ type: "answered" }];
    default:
      return [
        { type: "consolidated", progress: true },
        ...state.batch.flatMap((c): LoopEvent[] => [
          { type: "gated", callId: c.callId, decision: "allow" },
          { type: "decided", callId: c.callId, decision: "deny" },
          { type: "question-answered", callId: c.callId },
          { type: "call-ended", callId: c.callId, outcome: "ok" },
        ]),
      ];
  }
}

describe("purity", () => {
  it("imports types alone: no clock, no chance, no database, no engine", () => {
    const source = readFileSync(new URL("../../../core/agent/automaton.ts", import.meta.url), "utf8");
    const imports = source.match(/^import .*$/gm) ?? [];
    expect(imports.every((line) => line.startsWith("import type "))).toBe(true);
    expect(source).not.toMatch(/Math\.random|Date\.now|performance|setTimeout|process\./);
  });

  it("changes neither the state nor the event it is given", () => {
    fc.assert(
      fc.property(walk, ({ steps }) => {
        for (const { before, event } of steps) {
          const copy = structuredClone({ before, event });
          transition(before, event);
          expect({ before, event }).toEqual(copy);
        }
      }),
      { numRuns: 100 },
    );
  });
});
