import { freezeShare } from "../../../core/beliefs/scorer/head.ts";
import { reasoningTypes } from "../../../core/beliefs/types.ts";

export interface Judged {
  readonly label: number;
  readonly predicted: number;
  /** Whether the item would be allowed to move a belief. */
  readonly allowed: boolean;
}

export interface Agreement {
  readonly items: number;
  readonly accuracy: number;
  readonly macroF1: number;
  readonly f1: readonly number[];
  /** Rows: what it is; columns: what the scorer said. */
  readonly confusion: readonly (readonly number[])[];
  /** Share of items of a freezing type that would move a belief. */
  readonly leak: number;
  readonly leaked: number;
  readonly freezing: number;
  /** Share of real evidence that may move a belief. */
  readonly passed: number;
}

const isFreezing = (label: number) => label >= 3 && label <= 6;

export function agreement(judged: readonly Judged[]): Agreement {
  const confusion = reasoningTypes.map(() => reasoningTypes.map(() => 0));
  for (const { label, predicted } of judged) confusion[label]![predicted]! += 1;
  const f1 = reasoningTypes.map((_, c) => {
    const hit = confusion[c]![c]!;
    const said = confusion.reduce((sum, row) => sum + row[c]!, 0);
    const is = confusion[c]!.reduce((sum, n) => sum + n, 0);
    return said + is === 0 ? Number.NaN : (2 * hit) / (said + is);
  });
  const present = f1.filter((_, c) => confusion[c]!.some((n) => n > 0));
  const freezing = judged.filter((j) => isFreezing(j.label));
  const evidence = judged.filter((j) => j.label < 3);
  const leaked = freezing.filter((j) => j.allowed).length;
  return {
    items: judged.length,
    accuracy: judged.filter((j) => j.label === j.predicted).length / Math.max(1, judged.length),
    macroF1: present.reduce((a, b) => a + b, 0) / Math.max(1, present.length),
    f1,
    confusion,
    leak: leaked / Math.max(1, freezing.length),
    leaked,
    freezing: freezing.length,
    passed: evidence.filter((j) => j.allowed).length / Math.max(1, evidence.length),
  };
}

/** Texts of other people vary more than these: the gate never opens wider than this, whatever the folds allow. */
const WIDEST_GATE = 0.22;

/** The highest threshold on the freeze probability under which at most `most` of the freezing items would pass. */
export function chooseGate(
  judged: readonly { label: number; probabilities: readonly number[] }[],
  most: number,
): number {
  const freezing = judged.filter((j) => isFreezing(j.label));
  for (let gate = WIDEST_GATE; gate > 0.05; gate -= 0.01) {
    const passing = freezing.filter((j) => argmax(j.probabilities) < 3 && freezeShare(j.probabilities) <= gate).length;
    if (passing / freezing.length <= most) return Math.round(gate * 100) / 100;
  }
  return 0.05;
}

export function argmax(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

export function printAgreement(name: string, a: Agreement, table = false): void {
  const pct = (x: number) => `${(100 * x).toFixed(1)} %`;
  console.log(
    `${name}: ${a.items} items, accuracy ${a.accuracy.toFixed(3)}, macro-F1 ${a.macroF1.toFixed(3)}, ` +
      `freezing items let through ${a.leaked} of ${a.freezing} (${pct(a.leak)}), evidence that may move a belief ${pct(a.passed)}`,
  );
  if (!table) return;
  const short = ["empir", "logic", "exprt", "anecd", "socal", "emotn", "debnk", "noarg"];
  console.log(`  ${"".padEnd(18)}${short.map((s) => s.padStart(6)).join("")}    F1`);
  for (const [i, row] of a.confusion.entries()) {
    const f1 = Number.isNaN(a.f1[i]) ? "" : a.f1[i]!.toFixed(2);
    console.log(
      `  ${reasoningTypes[i]!.padEnd(18)}${row.map((n) => String(n || "·").padStart(6)).join("")}  ${f1.padStart(4)}`,
    );
  }
}
