/** Fits the evidence head to test/fixtures/evidence and writes core/beliefs/scorer/head.json (format it afterwards: biome format --write). */
import { writeFileSync } from "node:fs";
import type { StoredHead, StoredMap } from "../../core/beliefs/scorer/head.ts";
import { myths } from "../../core/beliefs/scorer/myths.ts";
import { calibrationItems } from "./evidence/data.ts";
import { starterEmbedder } from "./evidence/embedder.ts";
import { crossValidate, cueNames, type Fitted, type Prepared, train } from "./evidence/model.ts";
import { agreement, printAgreement } from "./evidence/report.ts";

const probeText =
  "Of 118 tagged eels that reached the forebay, 97 crossed at night; everyone agrees, please believe me.";
const embedder = await starterEmbedder();
const items = calibrationItems();
const data: Prepared = {
  items,
  vectors: await embedder.embed(items.map((item) => item.text)),
  myths: await embedder.embed(myths.map((myth) => myth.claim)),
};
const [probe] = await embedder.embed([probeText]);
const everything = items.map((_, i) => i);

const maps = { full: fitOne(true), words: fitOne(false) };
const grams = [...maps.full.fitted.vocabulary.keys()];
const stored: StoredHead = {
  dimensions: embedder.dimensions,
  probe: { text: probeText, vector: packVectors([probe!]) },
  cues: cueNames,
  grams,
  myths: { count: myths.length, vectors: packVectors(data.myths) },
  full: maps.full.stored,
  words: maps.words.stored,
};
const target = new URL("../../core/beliefs/scorer/head.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(stored)}\n`);
console.log(`Written: ${grams.length} word pairs, ${JSON.stringify(stored).length} bytes.`);
await embedder.close();

function fitOne(withVectors: boolean): { fitted: Fitted; stored: StoredMap } {
  const validated = crossValidate(data, withVectors);
  printAgreement(withVectors ? "with the embedder" : "words only", agreement(validated.judged), true);
  printAgreement(
    "  of these, written after the cues",
    agreement(validated.judged.filter((_, i) => items[i]!.set === "second")),
  );
  console.log(`  gate at a freeze probability of ${validated.gate}`);
  const fitted = train(data, everything, withVectors);
  return { fitted, stored: pack(fitted, validated.gate) };
}

function pack(fitted: Fitted, gate: number): StoredMap {
  const scales: number[] = [];
  const biases: number[] = [];
  const rows: Int8Array[] = [];
  for (const row of fitted.map.rows) {
    const weights = row.subarray(0, row.length - 1);
    const scale = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0) / 127;
    scales.push(scale);
    biases.push(Number(row[row.length - 1]!.toFixed(5)));
    rows.push(Int8Array.from(weights, (w) => Math.round(w / scale)));
  }
  return {
    weights: Buffer.concat(rows.map((row) => Buffer.from(row.buffer))).toString("base64"),
    scales,
    biases,
    gate,
  };
}

function packVectors(vectors: readonly Float32Array[]): string {
  return Buffer.concat(
    vectors.map((vector) => {
      const most = vector.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      return Buffer.from(Int8Array.from(vector, (v) => Math.round((v / most) * 127)).buffer);
    }),
  ).toString("base64");
}
