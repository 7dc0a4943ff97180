/**
 * The linear head: softmax over cues, word pairs, nearness to known myths and, where an embedder is at hand, the text's
 * vector. Its weights are data (`head.json`), written by `npm run bench -- evidence-train` from test/fixtures/evidence.
 */
import { type ReasoningType, reasoningTypes } from "../types.ts";
import { cueCounts, cueFeatures } from "./cues.ts";
import { grams } from "./grams.ts";
import data from "./head.json" with { type: "json" };

/** One linear map as stored: 8-bit weights, one scale a class, row after row, bias last (not quantised). */
export interface StoredMap {
  readonly weights: string;
  readonly scales: readonly number[];
  readonly biases: readonly number[];
  /** Items above this probability of a freezing type are never let through. */
  readonly gate: number;
}

export interface StoredHead {
  readonly dimensions: number;
  /** A text and its vector by the embedder that the head was fitted with: how another embedder is told apart. */
  readonly probe: { readonly text: string; readonly vector: string };
  readonly cues: readonly string[];
  readonly grams: readonly string[];
  /** 8-bit vectors of the myths' claims, in the order of `myths`. */
  readonly myths: { readonly count: number; readonly vectors: string };
  readonly full: StoredMap;
  readonly words: StoredMap;
}

export const VECTOR_SCALE = 3;
export const GRAM_SCALE = 3;

/** Nearness to the nearest known myth, 0 below a cosine of 0.4. */
export function mythFeature(cosine: number): number {
  return Math.max(0, (cosine - 0.4) * 2);
}

/** The features of one text in the head's order: cues, word pairs, then (when there is a vector) myth and vector. */
export function features(
  text: string,
  vocabulary: ReadonlyMap<string, number>,
  vector: Float32Array | null,
  nearestMyth: number,
): Float64Array {
  const { values } = cueFeatures(cueCounts(text));
  const base = values.length + vocabulary.size;
  const out = new Float64Array(base + (vector ? 1 + vector.length : 0));
  out.set(values);
  const present: number[] = [];
  for (const gram of grams(text)) {
    const index = vocabulary.get(gram);
    if (index !== undefined) present.push(index);
  }
  const share = GRAM_SCALE / Math.sqrt(present.length + 5);
  for (const index of present) out[values.length + index] = share;
  if (vector) {
    out[base] = mythFeature(nearestMyth);
    for (let i = 0; i < vector.length; i++) out[base + 1 + i] = vector[i]! * VECTOR_SCALE;
  }
  return out;
}

/** Probabilities of the eight types from a linear map. */
export function softmax(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function bytes(base64: string): Int8Array {
  const buffer = Buffer.from(base64, "base64");
  return new Int8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** 8-bit vectors of unit length back to floats. */
export function unpackVectors(base64: string, dimensions: number): Float32Array[] {
  const raw = bytes(base64);
  return Array.from({ length: raw.length / dimensions }, (_, row) => {
    const vector = Float32Array.from(raw.subarray(row * dimensions, (row + 1) * dimensions));
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  });
}

interface LoadedMap {
  readonly rows: readonly Float64Array[];
  readonly biases: readonly number[];
  readonly gate: number;
}

function load(map: StoredMap): LoadedMap {
  const raw = bytes(map.weights);
  const width = raw.length / map.scales.length;
  return {
    rows: map.scales.map((scale, row) =>
      Float64Array.from(raw.subarray(row * width, (row + 1) * width), (value) => value * scale),
    ),
    biases: map.biases,
    gate: map.gate,
  };
}

export interface Prediction {
  readonly type: ReasoningType;
  /** Probability of each type, in the order of `reasoningTypes`. */
  readonly probabilities: readonly number[];
  readonly freezeProbability: number;
  readonly gate: number;
}

export interface Head {
  /** `vector` must come from the embedder that the head knows (see `knows`); null asks the head that reads words only. */
  predict(text: string, vector: Float32Array | null): Prediction;
  readonly probeText: string;
  /** Whether this vector of `probeText` comes from the embedder that the head was fitted with. */
  knows(probeVector: Float32Array): boolean;
}

export function createHead(stored: StoredHead = data): Head {
  const vocabulary = new Map(stored.grams.map((gram, index) => [gram, index]));
  const myths = unpackVectors(stored.myths.vectors, stored.dimensions);
  const [probe] = unpackVectors(stored.probe.vector, stored.dimensions);
  const maps = { full: load(stored.full), words: load(stored.words) };
  return {
    probeText: stored.probe.text,
    knows: (vector) => vector.length === stored.dimensions && dot(vector, probe!) > 0.97,
    predict(text, vector) {
      const map = vector ? maps.full : maps.words;
      let nearest = -1;
      if (vector) for (const myth of myths) nearest = Math.max(nearest, dot(myth, vector));
      const x = features(text, vocabulary, vector, nearest);
      const scores = map.rows.map((row, c) => {
        let sum = map.biases[c]!;
        for (let i = 0; i < x.length; i++) if (x[i] !== 0) sum += row[i]! * x[i]!;
        return sum;
      });
      const probabilities = softmax(scores);
      return {
        type: reasoningTypes[probabilities.indexOf(Math.max(...probabilities))]!,
        probabilities,
        freezeProbability: freezeShare(probabilities),
        gate: map.gate,
      };
    },
  };
}

/** Joint probability of the freezing types. */
export function freezeShare(probabilities: readonly number[]): number {
  return probabilities[3]! + probabilities[4]! + probabilities[5]! + probabilities[6]!;
}
