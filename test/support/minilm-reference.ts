/**
 * all-MiniLM-L6-v2 once more, written from the BERT paper alone (Devlin et al. 2018) and slowly: what the fast engine's
 * vectors are compared with. Makes test/fixtures/models/minilm-reference.json:
 * `node test/support/minilm-reference.ts FOLDER`, FOLDER being the unpacked package's `model` folder.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Matrix = Float64Array[];

interface Weights {
  matrix(name: string): { rows: number; columns: number; values: Float64Array };
}

const layers = 6;
const heads = 12;
const epsilon = 1e-12;

function half(bits: number): number {
  const exponent = (bits & 0x7c00) >> 10;
  const magnitude = exponent === 0 ? (bits & 0x3ff) / 2 ** 24 : (0x400 | (bits & 0x3ff)) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

function readWeights(bytes: Buffer): Weights {
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length)) as Record<
    string,
    { shape: number[]; data_offsets: [number, number] }
  >;
  const kept = new Map<string, ReturnType<Weights["matrix"]>>();
  return {
    matrix(name) {
      let found = kept.get(name);
      if (!found) {
        const { shape, data_offsets } = header[name]!;
        const start = 8 + length + data_offsets[0];
        const values = Float64Array.from({ length: (data_offsets[1] - data_offsets[0]) / 2 }, (_, i) =>
          half(bytes.readUInt16LE(start + 2 * i)),
        );
        const columns = shape.at(-1)!;
        found = { rows: values.length / columns, columns, values };
        kept.set(name, found);
      }
      return found;
    },
  };
}

/** BERT's uncased tokens: lower case, no accents, words and single punctuation marks, then the longest known pieces. */
export function wordPieces(text: string, vocabulary: ReadonlyMap<string, number>): number[] {
  const plain = text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  const ids: number[] = [];
  for (const word of plain.match(/[\p{sc=Han}]|[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}\p{sc=Han}]+/gu) ?? []) {
    const pieces: number[] = [];
    for (let at = 0; at < word.length; ) {
      let end = word.length;
      while (end > at && !vocabulary.has((at > 0 ? "##" : "") + word.slice(at, end))) end--;
      if (end === at) {
        pieces.splice(0, pieces.length, vocabulary.get("[UNK]")!);
        break;
      }
      pieces.push(vocabulary.get((at > 0 ? "##" : "") + word.slice(at, end))!);
      at = end;
    }
    ids.push(...pieces);
  }
  return [vocabulary.get("[CLS]")!, ...ids, vocabulary.get("[SEP]")!];
}

function linear(input: Matrix, weights: Weights, name: string): Matrix {
  const { rows, columns, values } = weights.matrix(`${name}.weight`);
  const bias = weights.matrix(`${name}.bias`).values;
  return input.map((row) => {
    const out = new Float64Array(rows);
    for (let r = 0; r < rows; r++) {
      let sum = bias[r]!;
      for (let c = 0; c < columns; c++) sum += values[r * columns + c]! * row[c]!;
      out[r] = sum;
    }
    return out;
  });
}

function normalize(input: Matrix, weights: Weights, name: string): Matrix {
  const gain = weights.matrix(`${name}.weight`).values;
  const shift = weights.matrix(`${name}.bias`).values;
  return input.map((row) => {
    const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
    const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
    return row.map((x, i) => ((x - mean) / Math.sqrt(variance + epsilon)) * gain[i]! + shift[i]!);
  });
}

const add = (a: Matrix, b: Matrix): Matrix => a.map((row, r) => row.map((x, i) => x + b[r]![i]!));

function attend(input: Matrix, weights: Weights, layer: string): Matrix {
  const [q, k, v] = ["query", "key", "value"].map((name) =>
    linear(input, weights, `${layer}.attention.self.${name}`),
  ) as [Matrix, Matrix, Matrix];
  const width = input[0]!.length / heads;
  const out = input.map((row) => new Float64Array(row.length));
  for (let head = 0; head < heads; head++) {
    const from = head * width;
    for (let i = 0; i < input.length; i++) {
      const scores = k.map((key) => {
        let sum = 0;
        for (let d = from; d < from + width; d++) sum += q[i]![d]! * key[d]!;
        return Math.exp(sum / Math.sqrt(width));
      });
      const total = scores.reduce((sum, x) => sum + x, 0);
      for (let j = 0; j < input.length; j++)
        for (let d = from; d < from + width; d++) out[i]![d]! += (scores[j]! / total) * v[j]![d]!;
    }
  }
  return linear(out, weights, `${layer}.attention.output.dense`);
}

/** The error function to about 1e-7 (Abramowitz and Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y =
    1 -
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return Math.sign(x) * y;
}

const gelu = (x: number): number => (x / 2) * (1 + erf(x / Math.SQRT2));

export function embedSlowly(ids: readonly number[], weights: Weights): Float64Array {
  const word = weights.matrix("embeddings.word_embeddings.weight");
  const position = weights.matrix("embeddings.position_embeddings.weight").values;
  const type = weights.matrix("embeddings.token_type_embeddings.weight").values;
  const size = word.columns;
  let state: Matrix = ids.map((id, at) =>
    Float64Array.from({ length: size }, (_, i) => word.values[id * size + i]! + position[at * size + i]! + type[i]!),
  );
  state = normalize(state, weights, "embeddings.LayerNorm");
  for (let n = 0; n < layers; n++) {
    const layer = `encoder.layer.${n}`;
    state = normalize(add(state, attend(state, weights, layer)), weights, `${layer}.attention.output.LayerNorm`);
    const inner = linear(state, weights, `${layer}.intermediate.dense`).map((row) => row.map(gelu));
    state = normalize(
      add(state, linear(inner, weights, `${layer}.output.dense`)),
      weights,
      `${layer}.output.LayerNorm`,
    );
  }
  const mean = state[0]!.map((_, i) => state.reduce((sum, row) => sum + row[i]!, 0) / state.length);
  const length = Math.hypot(...mean);
  return mean.map((x) => x / length);
}

const texts = [
  "The cat sat on the mat.",
  "A quick brown fox jumps over the lazy dog, twice!",
  "Insulin lowers blood glucose; glucagon raises it.",
  "Café prices in Zürich rose by 3.5 % in 2023.",
  "def add(a, b): return a + b",
  "Why do eels migrate to the Sargasso Sea?",
  "東京は日本の首都です",
  "unaffordability, antidisestablishmentarianism & co-operation",
  "no",
  "In the morning the ferry leaves the harbour, crosses the sound in forty minutes and lands where the old lighthouse stands, and in the evening it comes back the same way with whoever has missed the bus.",
];

if (process.argv[1] === import.meta.filename) {
  const folder = process.argv[2]!;
  const tokenizer = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as {
    model: { vocab: Record<string, number> };
  };
  const vocabulary = new Map(Object.entries(tokenizer.model.vocab));
  const weights = readWeights(readFileSync(join(folder, "model.fp16.safetensors")));
  const cases = texts.map((text) => {
    const ids = wordPieces(text, vocabulary);
    return { text, ids, vector: Array.from(embedSlowly(ids, weights), (x) => Number(x.toFixed(6))) };
  });
  writeFileSync(new URL("../fixtures/models/minilm-reference.json", import.meta.url), `${JSON.stringify(cases)}\n`);
}
