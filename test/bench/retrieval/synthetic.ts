import type { IndexItem } from "../../../core/memory/types.ts";

/** A generator with a fixed seed (mulberry32): every run and every size sees the same passages. */
function chance(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const topics = 400;
/** Passages that are about the same thing, on average. */
const perSubtopic = 25;
const vocabulary = 60_000;
const wordsPerPassage = 60;

/** Passages that can be made again from their number, so that a million of them need no memory. */
export class SyntheticLibrary {
  readonly #size: number;
  readonly #dimensions: number;
  readonly #directions = new Map<number, Float32Array>();

  constructor(size: number, dimensions: number) {
    this.#size = size;
    this.#dimensions = dimensions;
  }

  #topicOf(n: number): { topic: number; subtopic: number } {
    const random = chance(n * 31 + 7);
    const topic = Math.floor(random() ** 1.5 * topics);
    const subtopics = Math.max(1, Math.round(this.#size / topics / perSubtopic));
    return { topic, subtopic: topic * subtopics + Math.floor(random() * subtopics) };
  }

  #direction(key: number): Float32Array {
    let known = this.#directions.get(key);
    if (!known) {
      known = gaussian(chance(key * 7919 + 13), this.#dimensions);
      this.#directions.set(key, known);
    }
    return known;
  }

  /** Unit vector of passage `n`: cosine about 0.2 to its topic, 0.5 to its subtopic, as close texts have under MiniLM. */
  vector(n: number): Float32Array {
    const { topic, subtopic } = this.#topicOf(n);
    const own = gaussian(chance(n + 1_000_003), this.#dimensions);
    const a = this.#direction(topic);
    const b = this.#direction(1_000_000 + subtopic);
    for (let i = 0; i < own.length; i++) own[i] = own[i]! * 0.72 + a[i]! * 0.45 + b[i]! * 0.53;
    return unit(own);
  }

  text(n: number): string {
    const { topic, subtopic } = this.#topicOf(n);
    const random = chance(n + 555);
    const words: string[] = [];
    for (let i = 0; i < wordsPerPassage; i++) {
      const r = random();
      // A third of the words belong to the subtopic or topic, the rest follow Zipf's law over the whole vocabulary.
      if (r < 0.12) words.push(word(200_000 + subtopic * 30 + Math.floor(random() * 30)));
      else if (r < 0.33) words.push(word(100_000 + topic * 120 + Math.floor(random() * 120)));
      else words.push(word(Math.floor(vocabulary ** random())));
    }
    return `${words.join(" ")}.`;
  }

  items(from: number, to: number): IndexItem[] {
    const items: IndexItem[] = [];
    for (let n = from; n < to; n++) {
      items.push({
        id: `p${n}`,
        kind: "document",
        sourceId: `d${n >> 6}`,
        collectionId: `c${n % 7}`,
        text: this.text(n),
        title: `Document ${n >> 6}`,
        place: `p. ${n & 63}`,
        at: n,
        strength: null,
      });
    }
    return items;
  }

  /** A question about a passage: five of its words and its vector, blurred. */
  query(i: number): { text: string; vector: Float32Array } {
    const random = chance(i + 99);
    const n = Math.floor(random() * this.#size);
    const words = this.text(n).slice(0, -1).split(" ");
    const chosen = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]);
    const vector = this.vector(n);
    const noise = gaussian(random, this.#dimensions);
    for (let d = 0; d < vector.length; d++) vector[d] = vector[d]! + noise[d]! * 0.7;
    return { text: `${chosen.join(" ")}?`, vector: unit(vector) };
  }
}

const syllables = [
  "ba",
  "ke",
  "lo",
  "mi",
  "nu",
  "ra",
  "se",
  "ti",
  "vo",
  "zu",
  "pel",
  "dor",
  "gan",
  "fis",
  "hul",
  "wex",
];

function word(n: number): string {
  let rest = n + 17;
  let text = "";
  do {
    text += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return text;
}

/** Components of a unit vector in expectation. */
function gaussian(random: () => number, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const scale = 1 / Math.sqrt(dimensions);
  for (let i = 0; i < dimensions; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(random() || 1e-12)) * scale;
    const angle = 2 * Math.PI * random();
    vector[i] = radius * Math.cos(angle);
    if (i + 1 < dimensions) vector[i + 1] = radius * Math.sin(angle);
  }
  return vector;
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  return vector;
}
