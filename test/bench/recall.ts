/**
 * How much of the evidence a question needs is found among the first 5, 10 and 20 turns, on conversations in LoCoMo's
 * format (Maharana et al. 2024): BM25, the embedder alone, plain RRF of both, and the product, which stores the turns as
 * episodes and recalls them as it does for a chat.
 *
 *   npm run bench -- recall --data FILE [--json] [--misses]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installedPaths } from "../../core/cli/paths.ts";
import { createMemory } from "../../core/memory/index.ts";
import { createModels, type Embedder } from "../../core/models/index.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { nodeChildHost } from "../../core/platform/node-child-host.ts";
import { Connection, migrate, migrations } from "../../core/storage/index.ts";
import { bm25Ranker, denseRanker, reciprocal } from "./recall/baselines.ts";
import { readSamples, type Sample } from "./recall/locomo.ts";

const cutoffs = [5, 10, 20] as const;
const categories = new Map([
  [1, "multi-hop"],
  [2, "temporal"],
  [3, "open-domain"],
  [4, "single-hop"],
  [5, "adversarial"],
]);

interface Outcome {
  readonly system: string;
  readonly category: number;
  readonly found: readonly number[];
}

const { values } = parseArgs({
  options: { data: { type: "string", multiple: true }, json: { type: "boolean" }, misses: { type: "boolean" } },
});
if (!values.data) {
  console.error("Name a file of conversations: npm run bench -- recall --data test/fixtures/recall/held.json");
  process.exit(2);
}

const paths = installedPaths();
const scratch = mkdtempSync(join(tmpdir(), "credence-recall-"));
const outcomes: Outcome[] = [];
const milliseconds: number[] = [];

function store(name: string): Connection {
  const db = new Connection(join(scratch, `${name}.db`));
  migrate(db, migrations);
  return db;
}

const modelDb = store("models");
const models = createModels({
  db: modelDb,
  clock: systemClock,
  log: silentLog,
  childHost: nodeChildHost(paths.entries),
  dataDir: scratch,
  modelDirs: paths.modelDirs,
  contextLimit: () => null,
});

try {
  const embedder = await models.embedder();
  if (!embedder) throw new Error("No embedding model is installed: run npm start once, or node models/fetch.ts.");
  let number = 0;
  for (const file of values.data) {
    for (const sample of readSamples(JSON.parse(readFileSync(file, "utf8")))) {
      await judge(sample, embedder, `sample-${number++}`);
      if (process.stderr.isTTY)
        process.stderr.write(`\r${sample.id}: ${sample.turns.length} turns, ${sample.questions.length} questions   `);
    }
  }
  report();
} finally {
  await models.close();
  modelDb.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Stores one conversation in a fresh profile and asks all its questions of every system. */
async function judge(sample: Sample, embedder: Embedder, name: string): Promise<void> {
  const db = store(name);
  const memory = createMemory({
    db,
    clock: systemClock,
    log: silentLog,
    embedder: async () => embedder,
    thread: { path: db.path },
  });
  for (const session of sample.sessions) {
    memory.rememberTalk(
      sample.id,
      sample.id,
      session.map((turn) => ({ messageId: turn.id, speaker: turn.speaker, text: turn.text, at: turn.at })),
    );
  }
  await memory.index.settled();
  const turnOf = new Map(
    db
      .read<{ id: string; message_id: string }>("SELECT id, message_id FROM derivatives")
      .all()
      .map((row) => [row.id, row.message_id]),
  );
  const lines = sample.turns.map((turn) => `${turn.speaker}: ${turn.text}`);
  const words = bm25Ranker(lines);
  const meaning = denseRanker(await turnVectors(db, sample, lines, embedder));
  const now = Math.max(...sample.turns.map((turn) => turn.at));
  for (const question of sample.questions) {
    const byWords = words(question.text);
    const byMeaning = meaning((await embedder.embed([question.text]))[0]!);
    const started = performance.now();
    const answer = await memory.recall(question.text, { limit: 60, now });
    milliseconds.push(performance.now() - started);
    const product = [...new Set(answer.hits.map((hit) => turnOf.get(hit.item.id)!))];
    const ids = (order: readonly number[]) => order.map((i) => sample.turns[i]!.id);
    note("BM25", question, ids(byWords));
    note("dense", question, ids(byMeaning));
    note("plain RRF", question, ids(reciprocal([byWords, byMeaning])));
    note("product", question, product);
    if (values.misses) {
      const missed = question.evidence.filter((id) => !product.slice(0, 10).includes(id));
      if (missed.length > 0)
        console.log(`${sample.id} [${question.category}] ${question.text}  missed ${missed.join(" ")}`);
    }
  }
  await memory.close();
  db.close();
}

/** Vectors of the turns for the embedder alone: those that the product stored of the same words, or else made anew. */
async function turnVectors(
  db: Connection,
  sample: Sample,
  lines: readonly string[],
  embedder: Embedder,
): Promise<Float32Array[]> {
  const stored = new Map<string, Float32Array>();
  const rows = db
    .read<{ message_id: string; speaker: string; text: string; embedding: Buffer }>(
      `SELECT d.message_id, p.speaker, p.text, v.embedding FROM passage_parts parts
       JOIN passages p ON p.seq = parts.passage JOIN derivatives d ON d.id = p.id
       JOIN passage_vectors_1 v ON v.rowid = parts.seq WHERE parts.role = 'whole'`,
    )
    .all();
  for (const row of rows) {
    stored.set(`${row.message_id} ${row.speaker}: ${row.text}`, new Float32Array(new Uint8Array(row.embedding).buffer));
  }
  const vectors: Float32Array[] = [];
  for (const [i, line] of lines.entries()) {
    vectors.push(
      stored.get(`${sample.turns[i]!.id} ${line}`) ?? (await embedder.embed([line], { background: true }))[0]!,
    );
  }
  return vectors;
}

function note(system: string, question: Sample["questions"][number], ranked: readonly string[]): void {
  const found = cutoffs.map((k) => {
    const head = new Set(ranked.slice(0, k));
    return question.evidence.filter((id) => head.has(id)).length / question.evidence.length;
  });
  outcomes.push({ system, category: question.category, found });
}

function mean(rows: readonly Outcome[], i: number): number {
  return rows.reduce((sum, row) => sum + row.found[i]!, 0) / Math.max(rows.length, 1);
}

function report(): void {
  const systems = [...new Set(outcomes.map((row) => row.system))];
  const groups = [null, ...[...new Set(outcomes.map((row) => row.category))].sort()];
  const table = groups.flatMap((category) =>
    systems.map((system) => {
      const rows = outcomes.filter((row) => row.system === system && (category === null || row.category === category));
      const [at5, at10, at20] = cutoffs.map((_, i) => Number(mean(rows, i).toFixed(3)));
      return {
        questions: category === null ? "all" : (categories.get(category) ?? `category ${category}`),
        n: rows.length,
        system,
        "@5": at5,
        "@10": at10,
        "@20": at20,
      };
    }),
  );
  const sorted = milliseconds.sort((a, b) => a - b);
  const p = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  const recallMs = { p50: p(0.5), p95: p(0.95) };
  if (values.json) console.log(JSON.stringify({ table, recallMs }));
  else {
    if (process.stderr.isTTY) process.stderr.write("\n");
    console.table(table);
    console.log(`One recall, embedding the question included: p50 ${recallMs.p50} ms, p95 ${recallMs.p95} ms.`);
  }
}
