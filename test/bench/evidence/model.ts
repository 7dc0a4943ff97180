/** Fits the two maps of the scorer (with and without vectors) and judges them on folds they have not seen. */
import { cueCounts, cueFeatures } from "../../../core/beliefs/scorer/cues.ts";
import { grams } from "../../../core/beliefs/scorer/grams.ts";
import { dot, features, freezeShare } from "../../../core/beliefs/scorer/head.ts";
import { assignFolds, type Item } from "./data.ts";
import { fitLinear, type LinearMap, predict } from "./fit.ts";
import { argmax, chooseGate, type Judged } from "./report.ts";

export const FOLDS = 6;
const CLASSES = 8;
/** A pair of words must occur in this many training items before it may carry weight. */
const LEAST_SEEN = 2;
/** At most this share of freezing items may pass the gate in the folds; the goal is 0.02, the rest is margin. */
export const MOST_LEAKED = 0.004;

/** Weight decay of each block. The cues' own is high: they were written with the first items in view. */
const decays = {
  full: { cues: 0.015, grams: 0.005, myth: 0.01, vector: 0.003 },
  words: { cues: 0.008, grams: 0.005 },
};

export interface Fitted {
  readonly map: LinearMap;
  readonly vocabulary: ReadonlyMap<string, number>;
}

export interface Prepared {
  readonly items: readonly Item[];
  readonly vectors: readonly Float32Array[];
  readonly myths: readonly Float32Array[];
}

export const cueNames = cueFeatures(cueCounts("")).names;

export function nearest(myths: readonly Float32Array[], vector: Float32Array): number {
  return myths.reduce((most, myth) => Math.max(most, dot(myth, vector)), -1);
}

export function train(data: Prepared, indices: readonly number[], withVectors: boolean): Fitted {
  const seen = new Map<string, number>();
  for (const i of indices) for (const gram of grams(data.items[i]!.text)) seen.set(gram, (seen.get(gram) ?? 0) + 1);
  const kept = [...seen]
    .filter(([, n]) => n >= LEAST_SEEN)
    .map(([gram]) => gram)
    .sort();
  const vocabulary = new Map(kept.map((gram, index) => [gram, index]));
  const inputs = indices.map((i) => input(data, i, vocabulary, withVectors));
  const decay = new Float64Array(inputs[0]!.length);
  const block = withVectors ? decays.full : { ...decays.words, myth: 0, vector: 0 };
  decay.fill(block.vector);
  decay.fill(block.cues, 0, cueNames.length);
  decay.fill(block.grams, cueNames.length, cueNames.length + vocabulary.size);
  if (withVectors) decay[cueNames.length + vocabulary.size] = block.myth;
  const labels = indices.map((i) => data.items[i]!.label);
  return { map: fitLinear(inputs, labels, CLASSES, decay), vocabulary };
}

function input(data: Prepared, i: number, vocabulary: ReadonlyMap<string, number>, withVectors: boolean): Float64Array {
  const vector = data.vectors[i]!;
  return features(
    data.items[i]!.text,
    vocabulary,
    withVectors ? vector : null,
    withVectors ? nearest(data.myths, vector) : -1,
  );
}

export interface Validated {
  /** In the order of the items, each predicted by a map that saw neither it nor its near-duplicates. */
  readonly probabilities: readonly (readonly number[])[];
  readonly gate: number;
  readonly judged: readonly Judged[];
}

export function crossValidate(data: Prepared, withVectors: boolean): Validated {
  const folds = assignFolds(data.items, data.vectors, FOLDS);
  const probabilities = new Array<number[]>(data.items.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const fitted = train(
      data,
      data.items.flatMap((_, i) => (folds[i] === fold ? [] : [i])),
      withVectors,
    );
    for (let i = 0; i < data.items.length; i++) {
      if (folds[i] === fold) probabilities[i] = predict(fitted.map, input(data, i, fitted.vocabulary, withVectors));
    }
  }
  const gate = chooseGate(
    data.items.map((item, i) => ({ label: item.label, probabilities: probabilities[i]! })),
    MOST_LEAKED,
  );
  const judged = data.items.map((item, i) => ({ label: item.label, ...verdict(probabilities[i]!, gate) }));
  return { probabilities, gate, judged };
}

export function verdict(probabilities: readonly number[], gate: number): { predicted: number; allowed: boolean } {
  const predicted = argmax(probabilities);
  return { predicted, allowed: predicted < 3 && freezeShare(probabilities) <= gate };
}
