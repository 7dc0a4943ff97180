/**
 * Routing: how often the harness, the cues alone, and each chat model (native calls, choice under a grammar) look in the
 * right place. `--write` trains the heads anew and writes core/agent/proposers/head.json; `--models` asks the chat models
 * named after it instead, on a sample of the messages (slow).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { CUES } from "../../core/agent/proposers/cues.ts";
import { ACTIONS, type Action, type Head } from "../../core/agent/proposers/head.ts";
import { settleForeign } from "../../core/agent/proposers/languages.ts";
import { requestOf } from "../../core/agent/proposers/request-text.ts";
import { decide } from "../../core/agent/proposers/router.ts";
import { settle } from "../../core/agent/proposers/rules.ts";
import {
  embeddedText,
  featuresOf,
  framedMessages,
  type Labelled,
  labelledMessages,
  trainOn,
} from "../../core/agent/proposers/training-set.ts";
import { starterEmbedder } from "./evidence/embedder.ts";
import { routeWithModel } from "./routing/models.ts";

const FOLDS = 5;
const PROBES = [
  "what does the contract say about termination",
  "hello there, how are you today?",
  "the price of heat pumps fell in March",
];

const chosen = process.argv.slice(2);
if (chosen.includes("--models")) {
  for (const path of chosen.slice(chosen.indexOf("--models") + 1)) await routeWithModel(path, fixture("other-voices"));
  process.exit();
}
const messages = labelledMessages();
const frames = framedMessages();
const held = ["held-out", "other-voices"].map((name) => ({ name, items: fixture(name) }));
const embedder = await starterEmbedder();
const vectors = new Map<string, Float32Array>();
await embedAll([...messages, ...frames, ...held.flatMap(({ items }) => items)].map(({ text }) => embeddedText(text)));

if (chosen.includes("--write")) await write();
for (const [proposer, withVectors] of [
  ["harness, MiniLM", true],
  ["harness, no embedder", false],
] as const) {
  const folds = await crossValidate(withVectors);
  console.log(`${proposer}: ${share(folds)} under ${FOLDS}-fold cross-validation of ${messages.length} messages`);
  const head = await train([...messages, ...frames], withVectors);
  for (const { name, items } of held) {
    console.log(
      `  ${share(items.map((item) => route(item.text, head, withVectors) === item.action))} of ${items.length} (${name})`,
    );
    if (withVectors) confusion(items, head);
  }
}
await embedder.close();
function fixture(name: string): Labelled[] {
  const file = new URL(`../fixtures/routing/${name}.json`, import.meta.url);
  const data = JSON.parse(readFileSync(file, "utf8")) as Record<Action, string[]>;
  return ACTIONS.flatMap((action) => data[action].map((text) => ({ text, action, weight: 1 })));
}

async function embedAll(texts: readonly string[]): Promise<void> {
  const fresh = [...new Set(texts)].filter((text) => !vectors.has(text));
  const found = await embedder.embed(fresh);
  for (const [i, text] of fresh.entries()) vectors.set(text, found[i]!);
}

function train(items: readonly Labelled[], withVectors: boolean): Promise<Head> {
  return trainOn(items, withVectors ? items.map(({ text }) => vectors.get(embeddedText(text))!) : null);
}

function route(text: string, head: Head, withVectors: boolean): Action {
  const request = requestOf(text);
  const settled = settleForeign(request.text) ?? settle(request);
  if (settled) return settled.action;
  return decide(text, head, featuresOf(text, withVectors ? vectors.get(embeddedText(text))! : null)).action;
}

async function crossValidate(withVectors: boolean): Promise<boolean[]> {
  const right: boolean[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const head = await train([...messages.filter((_, i) => i % FOLDS !== fold), ...frames], withVectors);
    messages.forEach((item, i) => {
      if (i % FOLDS === fold) right.push(route(item.text, head, withVectors) === item.action);
    });
  }
  return right;
}

function confusion(items: readonly Labelled[], head: Head): void {
  for (const action of ACTIONS) {
    const own = items.filter((item) => item.action === action);
    const wrong = own.map((item) => route(item.text, head, true)).filter((found) => found !== action);
    const counts = ACTIONS.map((other) => [other, wrong.filter((found) => found === other).length] as const).filter(
      ([, n]) => n > 0,
    );
    console.log(
      `    ${action.padEnd(14)} ${own.length - wrong.length}/${own.length} ${counts.map(([other, n]) => `${other} ${n}`).join(", ")}`,
    );
  }
}

function share(right: readonly boolean[]): string {
  return (right.filter(Boolean).length / right.length).toFixed(3);
}

async function write(): Promise<void> {
  await embedAll(PROBES);
  const all = [...messages, ...frames];
  const rounded = ({ inputs, weights }: Head) => ({
    inputs,
    weights: weights.map((row) => row.map((weight) => Math.round(weight * 1e3) / 1e3)),
  });
  const data = {
    cueNames: CUES.map((cue) => cue.name),
    probes: PROBES.map((text) => ({ text, vector: Array.from(vectors.get(text)!, (x) => Math.round(x * 1e4) / 1e4) })),
    full: rounded(await train(all, true)),
    cues: rounded(await train(all, false)),
  };
  writeFileSync(new URL("../../core/agent/proposers/head.json", import.meta.url), `${JSON.stringify(data)}\n`);
  console.log("Heads written.");
}
