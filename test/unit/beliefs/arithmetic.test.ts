import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apply,
  BASE_STEP,
  type BeliefEvent,
  type BeliefState,
  BOOTSTRAP_INTERACTIONS,
  CONTRACTION_ITEMS,
  COOLING_MS,
  caps,
  type EvidenceEvent,
  FADE_AFTER_MS,
  heldConfidence,
  isAllowed,
  replay,
  retention,
  uncertainty,
} from "../../../core/beliefs/arithmetic.ts";
import { evidenceTypes, freezingTypes, reasoningTypes } from "../../../core/beliefs/types.ts";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const direction = fc.constantFrom<1 | -1>(1, -1);
const moving = fc.constantFrom(...evidenceTypes);
const day = 86_400_000;
const start = 1_700_000_000_000;

const state: fc.Arbitrary<BeliefState> = fc.record({
  valence: fc.double({ min: -1, max: 1, noNaN: true }),
  confidence: unit,
  supports: fc.nat(50),
  contradicts: fc.nat(50),
  contradiction: fc.double({ min: 0, max: 2, noNaN: true }),
  contradictions: fc.nat(5),
  createdAt: fc.constant(start),
  changedAt: fc.integer({ min: start, max: start + 100 * day }),
  reinforcedAt: fc.integer({ min: start, max: start + 100 * day }),
  retired: fc.boolean(),
});
const evidence: fc.Arbitrary<EvidenceEvent> = fc.record({
  kind: fc.constant("evidence" as const),
  at: fc.integer({ min: start + 100 * day, max: start + 400 * day }),
  direction,
  strength: unit,
  type: fc.constantFrom(...reasoningTypes),
  interaction: fc.integer({ min: 1, max: 40 }),
  pinned: fc.boolean(),
});

function step(before: BeliefState | null, event: EvidenceEvent) {
  const { state: after, arithmetic } = apply(before, event);
  return { after, arithmetic: arithmetic!, delta: after.valence - (before?.valence ?? 0) };
}

describe("one revision", () => {
  it("never moves a belief further than the cap of its type times its strength, nor off the scale", () => {
    fc.assert(
      fc.property(fc.option(state, { nil: null }), evidence, (before, event) => {
        const { after, delta, arithmetic } = step(before, event);
        expect(Math.abs(delta)).toBeLessThanOrEqual(caps[event.type] * event.strength + 1e-15);
        expect(Math.abs(after.valence)).toBeLessThanOrEqual(1);
        expect(after.confidence).toBeGreaterThanOrEqual(0);
        expect(after.confidence).toBeLessThanOrEqual(1);
        expect(arithmetic.delta).toBe(delta);
      }),
    );
  });

  it("goes the way of its evidence or stays", () => {
    fc.assert(
      fc.property(fc.option(state, { nil: null }), evidence, (before, event) => {
        expect(step(before, event).delta * event.direction).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("is larger for stronger evidence, all else equal", () => {
    fc.assert(
      fc.property(state, evidence, unit, unit, (before, event, a, b) => {
        const [weak, strong] = a < b ? [a, b] : [b, a];
        const small = Math.abs(step(before, { ...event, strength: weak }).delta);
        const large = Math.abs(step(before, { ...event, strength: strong }).delta);
        expect(large).toBeGreaterThanOrEqual(small - 1e-15);
      }),
    );
  });

  it("is smaller for an established belief than for a doubtful one", () => {
    fc.assert(
      fc.property(state, evidence, moving, unit, unit, (before, event, type, a, b) => {
        const [doubtful, sure] = a < b ? [a, b] : [b, a];
        const middle = { ...before, valence: 0, contradictions: 0 };
        const one = { ...event, type };
        const far = Math.abs(step({ ...middle, confidence: doubtful }, one).delta);
        const near = Math.abs(step({ ...middle, confidence: sure }, one).delta);
        expect(near).toBeLessThanOrEqual(far);
        if (type === "empirical_data" && sure - doubtful > 0.01 && event.strength > 0.01 && event.pinned) {
          expect(near).toBeLessThan(far);
        }
      }),
    );
  });

  it("does nothing when its type's cap is zero", () => {
    fc.assert(
      fc.property(state, evidence, (before, event) => {
        fc.pre(caps[event.type] === 0);
        expect(step(before, event).delta).toBe(0);
      }),
    );
  });

  it("spells out base step, strength and confidence as the design has them", () => {
    const before: BeliefState = {
      valence: 0.35,
      confidence: 0.48,
      supports: 5,
      contradicts: 1,
      contradiction: 0,
      contradictions: 0,
      createdAt: start,
      changedAt: start,
      reinforcedAt: start + 10 * day,
      retired: false,
    };
    const { arithmetic, after } = step(before, {
      kind: "evidence",
      at: start + 11 * day,
      direction: 1,
      strength: 0.62,
      type: "empirical_data",
      interaction: 40,
      pinned: false,
    });
    expect(arithmetic.delta).toBeCloseTo((BASE_STEP * 0.62) / 1.48, 12);
    expect(arithmetic).toMatchObject({ capped: false, damped: false, cooling: false, contracted: false });
    expect(after.supports).toBe(6);
  });

  it("counts half among the first ten interactions and half while the belief cools down", () => {
    const base: EvidenceEvent = {
      kind: "evidence",
      at: start,
      direction: 1,
      strength: 0.8,
      type: "empirical_data",
      interaction: BOOTSTRAP_INTERACTIONS + 1,
      pinned: false,
    };
    const full = step(null, base).delta;
    expect(step(null, { ...base, interaction: BOOTSTRAP_INTERACTIONS }).delta).toBe(full / 2);
    const formed = step(null, base).after;
    const soon = step(formed, { ...base, at: start + COOLING_MS - 1 });
    const later = step(formed, { ...base, at: start + COOLING_MS });
    expect(soon.arithmetic.cooling).toBe(true);
    expect(later.arithmetic.cooling).toBe(false);
    expect(soon.delta).toBeCloseTo(later.delta / 2, 12);
  });

  it("forms a belief with a confidence between 0.2 and 0.4", () => {
    fc.assert(
      fc.property(evidence, (event) => {
        const { after } = step(null, event);
        expect(after.confidence).toBeGreaterThanOrEqual(0.2);
        expect(after.confidence).toBeLessThanOrEqual(0.4);
      }),
    );
  });
});

describe("contraction", () => {
  const against = (n: number, strength: number): EvidenceEvent => ({
    kind: "evidence",
    at: start + n * day,
    direction: -1,
    strength,
    type: "empirical_data",
    interaction: 20 + n,
    pinned: false,
  });

  it("never follows from one item, however strong", () => {
    fc.assert(
      fc.property(state, evidence, (before, event) => {
        const fresh = { ...before, contradiction: 0, contradictions: 0 };
        expect(step(fresh, event).after.confidence).toBeGreaterThanOrEqual(fresh.confidence);
      }),
    );
  });

  it("lowers confidence once contradiction from several items has added up, and starts counting anew", () => {
    let held = step(null, { ...against(0, 1), direction: 1 }).after;
    held = { ...held, valence: 0.9 };
    const before = held.confidence;
    for (let n = 1; n < CONTRACTION_ITEMS; n++) {
      held = step(held, against(n, 0.7)).after;
      expect(held.confidence).toBe(before);
    }
    const last = step(held, against(CONTRACTION_ITEMS, 0.7));
    expect(last.arithmetic.contracted).toBe(true);
    expect(last.after.confidence).toBeLessThan(before);
    expect(last.after.contradictions).toBe(0);
  });
});

describe("fading", () => {
  it("is a power law that starts after a month and only ever lowers confidence", () => {
    expect(retention(0)).toBe(1);
    expect(retention(FADE_AFTER_MS)).toBe(1);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 * day }), fc.integer({ min: 0, max: 2000 * day }), (a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        expect(retention(late)).toBeLessThanOrEqual(retention(early));
        expect(retention(late)).toBeGreaterThan(0);
      }),
    );
    const ratio = Math.log(retention(FADE_AFTER_MS + 900 * day) / retention(FADE_AFTER_MS + 9000 * day));
    expect(ratio).toBeCloseTo(0.5 * Math.log((1 + 100) / (1 + 10)), 10);
  });

  it("is undone by renewing, and pinned beliefs are spared", () => {
    fc.assert(
      fc.property(state, fc.integer({ min: start + 200 * day, max: start + 900 * day }), (held, now) => {
        const renewed = apply(held, { kind: "renewed", at: now }).state;
        expect(heldConfidence(renewed, now, false)).toBe(held.confidence);
        expect(heldConfidence(held, now, true)).toBe(held.confidence);
        expect({ ...renewed, reinforcedAt: held.reinforcedAt }).toEqual(held);
      }),
    );
  });
});

describe("a history", () => {
  const history = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: evidence },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("renewed" as const),
          at: fc.integer({ min: start, max: start + 400 * day }),
        }),
      },
    ),
    { maxLength: 30 },
  );

  it("replays to the same state to the last bit", () => {
    fc.assert(
      fc.property(history, (events: BeliefEvent[]) => {
        const copy = JSON.parse(JSON.stringify(events)) as BeliefEvent[];
        expect(replay(copy).state).toStrictEqual(replay(events).state);
      }),
    );
  });

  it("depends on the order of its evidence only within bounds", () => {
    const calm = fc.array(
      fc.record({ direction, strength: fc.double({ min: 0.25, max: 1, noNaN: true }), type: moving }),
      {
        minLength: 2,
        maxLength: 7,
      },
    );
    fc.assert(
      fc.property(calm, fc.infiniteStream(fc.nat()), (items, keys) => {
        const shuffled = items
          .map((item) => ({ item, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const run = (list: typeof items) =>
          replay(
            list.map((item, i) => ({
              kind: "evidence" as const,
              ...item,
              at: start + i * day,
              interaction: 50 + i,
              pinned: true,
            })),
          ).state!.valence;
        const difference = Math.abs(run(items) - run(shuffled.map(({ item }) => item)));
        // A step lies between its size at confidence 1 and at confidence 0, whatever came before it.
        const bound = items.reduce(
          (sum, { strength, type }) =>
            sum +
            Math.min(BASE_STEP * strength, caps[type] * strength) -
            Math.min((BASE_STEP * strength) / 2, caps[type] * strength),
          0,
        );
        expect(difference).toBeLessThanOrEqual(bound + 1e-12);
      }),
    );
  });
});

describe("the gate", () => {
  it("lets no freezing type and nothing weak or unrecommended through", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...reasoningTypes),
        unit,
        fc.boolean(),
        (reasoningType, strength, recommendUpdate) => {
          const allowed = isAllowed({ reasoningType, strength, recommendUpdate });
          expect(allowed).toBe(evidenceTypes.has(reasoningType) && strength >= 0.25 && recommendUpdate);
          if (freezingTypes.has(reasoningType)) expect(allowed).toBe(false);
        },
      ),
    );
  });

  it("gives a wider band to a belief whose evidence disagrees", () => {
    expect(uncertainty(0.5, 4, 4)).toBeGreaterThan(uncertainty(0.5, 8, 0));
    expect(uncertainty(0.9, 8, 0)).toBeLessThan(uncertainty(0.2, 8, 0));
  });
});
