/**
 * How well texts are weighed as evidence: each scorer on the calibration set (folds it has not seen), on held-out items and
 * on manipulation. GGUF files named as arguments are judged as second readers beside the rules.
 */

import { readFileSync } from "node:fs";
import { createHead } from "../../core/beliefs/scorer/head.ts";
import { askModel, combine, TRIAL_PASS, trialItems } from "../../core/beliefs/scorer/model.ts";
import { myths } from "../../core/beliefs/scorer/myths.ts";
import { createRuleScorer } from "../../core/beliefs/scorer/rules.ts";
import { stanceOf } from "../../core/beliefs/stance.ts";
import { reasoningTypes } from "../../core/beliefs/types.ts";
import { startEngine } from "../integration/models.ts";
import { calibrationItems, heldOutItems, manipulationItems } from "./evidence/data.ts";
import { starterEmbedder } from "./evidence/embedder.ts";
import { crossValidate, type Prepared, verdict } from "./evidence/model.ts";
import { agreement, type Judged, printAgreement } from "./evidence/report.ts";

const embedder = await starterEmbedder();
const items = calibrationItems();
const data: Prepared = {
  items,
  vectors: await embedder.embed(items.map((item) => item.text)),
  myths: await embedder.embed(myths.map((myth) => myth.claim)),
};
const head = createHead();
const attempts = manipulationItems();
const held = heldOutItems();
const heldVectors = await embedder.embed(held.map((item) => item.text));
const attemptVectors = await embedder.embed(attempts.map((item) => item.text));

for (const withVectors of [true, false]) {
  const name = withVectors ? "rules + embedder" : "rules";
  const { judged, gate } = crossValidate(data, withVectors);
  console.log(`\n== ${name}, ${items.length} items in folds without near-duplicates, gate ${gate}`);
  printAgreement("all", agreement(judged), true);
  printAgreement("written before the cues", agreement(judged.filter((_, i) => items[i]!.set === "first")));
  printAgreement("written after the cues", agreement(judged.filter((_, i) => items[i]!.set === "second")));
  const kept = held.map((item, i) => {
    const said = head.predict(item.text, withVectors ? heldVectors[i]! : null);
    return { label: item.label, ...verdict(said.probabilities, said.gate) };
  });
  printAgreement("held out, never fitted or looked at", agreement(kept), true);
  const tried = attempts.map((item, i) => {
    const said = head.predict(item.text, withVectors ? attemptVectors[i]! : null);
    return { label: item.label, ...verdict(said.probabilities, said.gate) };
  });
  printAgreement("manipulation, never fitted", agreement(tried), true);
}

const pairs = JSON.parse(readFileSync(new URL("../fixtures/stance/pairs.json", import.meta.url), "utf8")) as {
  statement: string;
  item: string;
  direction: 1 | -1 | 0;
}[];
let right = 0;
let turned = 0;
for (const pair of pairs) {
  const [a, b] = await embedder.embed([pair.item, pair.statement]);
  const similarity = a!.reduce((sum, value, i) => sum + value * b![i]!, 0);
  const { direction } = stanceOf(pair.item, pair.statement, similarity);
  if (direction === pair.direction) right++;
  else if (direction === -pair.direction) turned++;
}
console.log(`\n== side of ${pairs.length} labelled pairs: ${right} right, ${turned} the wrong way round`);

for (const path of process.argv.slice(2)) await judgeModel(path);
await embedder.close();

/** A chat model alone and joined with the rules, on every second held-out item. */
async function judgeModel(path: string): Promise<void> {
  const engine = startEngine();
  const model = await engine.loadChat(path);
  const signal = new AbortController().signal;
  const rules = createRuleScorer({ embedder: async () => embedder });
  const read = async (text: string) => askModel(model, text, signal).catch(() => null);
  let passed = 0;
  for (const [text, type] of trialItems) if ((await read(text))?.type === type) passed++;
  console.log(
    `\n== ${model.description.name}: ${passed} of ${trialItems.length} trial items right, ${TRIAL_PASS} are needed to be heard`,
  );
  const alone: Judged[] = [];
  const joined: Judged[] = [];
  for (const { text, label } of held.filter((_, i) => i % 2 === 0)) {
    const own = await rules.score(text, { topics: [] });
    const said = await read(text);
    const both = said ? combine(own, said, model.description.name) : own;
    if (said) {
      const predicted = reasoningTypes.indexOf(said.type);
      alone.push({ label, predicted, allowed: predicted < 3 && said.update && said.strength >= 0.25 });
    }
    joined.push({ label, predicted: reasoningTypes.indexOf(both.reasoningType), allowed: both.allowed });
  }
  printAgreement("the model alone", agreement(alone), true);
  printAgreement("joined with the rules", agreement(joined), true);
  engine.close();
}
