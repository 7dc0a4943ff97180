import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BeliefState, replay } from "../../../core/beliefs/arithmetic.ts";
import type { NewEvidence } from "../../../core/beliefs/rows.ts";
import { BeliefStore } from "../../../core/beliefs/store.ts";
import { reasoningTypes } from "../../../core/beliefs/types.ts";
import { Connection, migrate } from "../../../core/storage/index.ts";
import { migrations } from "../../../core/storage/migrations/index.ts";

const hour = 3_600_000;
const start = 1_700_000_000_000;

function openStore(): BeliefStore {
  const db = new Connection(":memory:");
  migrate(db, migrations);
  return new BeliefStore(db);
}

/** A repeatable stream of numbers 0..1. */
function mulberry(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Planned {
  readonly belief: number;
  readonly evidence: NewEvidence;
}

function plan(count: number, beliefs: number, seed: number): Planned[] {
  const random = mulberry(seed);
  let at = start;
  return Array.from({ length: count }, (_, i) => {
    at += Math.floor(random() * 40 * hour);
    return {
      belief: Math.floor(random() * beliefs),
      evidence: {
        source: { kind: "message", id: `m${i}`, sourceId: `c${i % 97}`, title: "A talk", place: "" },
        quote: "words",
        direction: random() < 0.6 ? 1 : -1,
        strength: random(),
        type: reasoningTypes[Math.floor(random() * reasoningTypes.length)]!,
        scorer: "rules",
        at,
        interaction: i + 1,
        why: "test",
      },
    };
  });
}

/** Applies a plan and returns each step's revision id (null where it was left out). */
function run(store: BeliefStore, steps: readonly (Planned | null)[]): (string | null)[] {
  const formed = new Set<number>();
  return store.db.transaction(() =>
    steps.map((step) => {
      if (!step) return null;
      const id = `b${step.belief}`;
      if (formed.has(step.belief)) return store.revise(id, step.evidence).revision.id;
      formed.add(step.belief);
      return store.form(`Statement ${step.belief}`, "topic", step.evidence, id).revision.id;
    }),
  );
}

const states = (store: BeliefStore): Map<string, BeliefState> =>
  new Map(store.all().map((belief) => [belief.id, belief.state]));

describe("the log of revisions", () => {
  it("rebuilds ten thousand random revisions to the same table, bit by bit", () => {
    const store = openStore();
    run(store, plan(10_000, 60, 4711));
    const table = states(store);
    expect(table.size).toBe(60);
    store.db
      .write("UPDATE beliefs SET valence = 0, confidence = 0, supports = 0, contradicts = 0, changed_at = 0")
      .run();
    store.db.transaction(() => {
      for (const id of table.keys()) store.rebuild(id);
    });
    expect(states(store)).toStrictEqual(table);
    for (const id of table.keys()) {
      const events = store.revisions(id).map((row) => ({
        kind: "evidence" as const,
        at: row.at,
        direction: row.direction!,
        strength: row.strength!,
        type: row.type!,
        interaction: row.interaction!,
        pinned: row.pinned,
      }));
      expect(replay(events).state).toStrictEqual(table.get(id));
    }
  });

  it("takes any one step back as if it had never been applied", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 40 }), fc.nat(), (seed, count, pick) => {
        const steps = plan(count, 3, seed);
        const gone = pick % count;
        const all = openStore();
        const ids = run(all, steps);
        const other = openStore();
        run(
          other,
          steps.map((step, i) => (i === gone ? null : step)),
        );
        const belief = `b${steps[gone]!.belief}`;
        const previewed = all.without(belief, new Set([ids[gone]!]));
        all.setUndone(belief, [ids[gone]!], { at: start, why: "test" });
        expect(states(all)).toStrictEqual(states(other));
        expect(previewed).toStrictEqual(other.find(belief)?.state ?? null);
        const kept = all.revisions(belief).filter((row) => row.undoneAt === null);
        const twin = other.find(belief) ? other.revisions(belief) : [];
        expect(kept.map((row) => row.arithmetic)).toStrictEqual(twin.map((row) => row.arithmetic));
      }),
      { numRuns: 60 },
    );
  });

  it("puts a step that was taken back in again, exactly", () => {
    const store = openStore();
    const ids = run(store, plan(30, 1, 9));
    const before = states(store);
    store.setUndone("b0", [ids[7]!], { at: start, why: "test" });
    expect(states(store)).not.toStrictEqual(before);
    store.setUndone("b0", [ids[7]!], null);
    expect(states(store)).toStrictEqual(before);
  });

  it("deletes a belief when the only step that formed it is taken back, and forms it again when that returns", () => {
    const store = openStore();
    const [id] = run(store, plan(1, 1, 3));
    expect(store.setUndone("b0", [id!], { at: start, why: "test" })).toBeNull();
    expect(store.all()).toEqual([]);
    expect(store.setUndone("b0", [id!], null)).not.toBeNull();
    expect(store.all()).toHaveLength(1);
  });
});

describe("provenance", () => {
  it("finds the edges that stand on a passage and on a whole source", () => {
    const store = openStore();
    run(store, plan(300, 5, 77));
    expect(store.evidenceOn({ refIds: ["m12"] })).toHaveLength(1);
    const onSource = store.evidenceOn({ source: { kind: "message", id: "c5" } });
    expect(onSource.length).toBeGreaterThan(2);
    expect(onSource.every((row) => row.source.sourceId === "c5")).toBe(true);
    expect(store.evidenceOn({ source: { kind: "document", id: "c5" } })).toEqual([]);
  });
});
