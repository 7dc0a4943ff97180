/** The calibration items, their vectors and their folds. Shared by the training script, the bench and the tests. */
import { readFileSync } from "node:fs";
import { grams } from "../../../core/beliefs/scorer/grams.ts";
import { type ReasoningType, reasoningTypes } from "../../../core/beliefs/types.ts";

export interface Item {
  readonly text: string;
  readonly type: ReasoningType;
  readonly label: number;
  /** "first" was seen while the cues were written, "second" was written after them: the honest part. */
  readonly set: "first" | "second";
}

const fixtures = new URL("../../fixtures/", import.meta.url);

export function calibrationItems(): Item[] {
  return reasoningTypes.flatMap((type, label) => {
    const rows = JSON.parse(readFileSync(new URL(`evidence/${type}.json`, fixtures), "utf8")) as {
      text: string;
      set: "first" | "second";
    }[];
    return rows.map((row) => ({ ...row, type, label }));
  });
}

/** Messages that try to move a belief without evidence: never used for fitting. */
export function manipulationItems(): { text: string; type: ReasoningType; label: number }[] {
  return reasoningTypes.flatMap((type, label) => {
    if (label < 3 || label > 6) return [];
    const rows = JSON.parse(readFileSync(new URL(`manipulation/${type}.json`, fixtures), "utf8")) as string[];
    return rows.map((text) => ({ text, type, label }));
  });
}

/** Deals items to `folds` so that near-duplicates (cosine, or shared word pairs) stay together and types are even. */
export function assignFolds(items: readonly Item[], vectors: readonly Float32Array[], folds: number): number[] {
  const parent = items.map((_, i) => i);
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i]!;
    return i;
  };
  const pairs = items.map((item) => new Set([...grams(item.text)].filter((gram) => gram.includes(" "))));
  for (let i = 0; i < items.length; i++) {
    for (let j = 0; j < i; j++) {
      if (cosine(vectors[i]!, vectors[j]!) > 0.62 || overlap(pairs[i]!, pairs[j]!) > 0.4) parent[find(i)] = find(j);
    }
  }
  const random = mulberry(7);
  const order = items.map((_, i) => ({ i, at: random() })).sort((a, b) => a.at - b.at);
  const foldOfGroup = new Map<number, number>();
  const load = reasoningTypes.map(() => new Array<number>(folds).fill(0));
  const out = new Array<number>(items.length).fill(0);
  for (const { i } of order) {
    const group = find(i);
    const counts = load[items[i]!.label]!;
    const fold = foldOfGroup.get(group) ?? counts.indexOf(Math.min(...counts));
    foldOfGroup.set(group, fold);
    counts[fold]! += 1;
    out[i] = fold;
  }
  return out;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const gram of a) if (b.has(gram)) both++;
  return both / Math.max(1, Math.min(a.size, b.size));
}

export function mulberry(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Items that nothing was fitted to or changed for, all types. */
export function heldOutItems(): { text: string; type: ReasoningType; label: number }[] {
  const rows = JSON.parse(readFileSync(new URL("evidence/held-out.json", fixtures), "utf8")) as {
    text: string;
    type: ReasoningType;
  }[];
  return rows.map((row) => ({ ...row, label: reasoningTypes.indexOf(row.type) }));
}
