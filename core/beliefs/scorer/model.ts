/**
 * A language model as second reader. It sees the item alone. It may raise the strength of what the rules already take
 * for evidence, and freeze what they let through with doubt; it can never open the gate for what they would freeze.
 */
import { z } from "zod";
import type { ChatMessage, ChatModel } from "../../models/types.ts";
import { isAllowed } from "../arithmetic.ts";
import { type EvidenceScore, evidenceTypes, freezingTypes, reasoningTypes, type Signals } from "../types.ts";
import { round } from "./signals.ts";

const share = z.number().min(0).max(1);

export const ModelVerdict = z.object({
  type: z.enum(reasoningTypes),
  strength: share,
  specificity: share,
  grounding: share,
  rigor: share,
  source: share,
  objectivity: share,
  urgency: share,
  update: z.boolean(),
});
export type ModelVerdict = z.infer<typeof ModelVerdict>;

const rubric = `You grade one text as evidence. Judge how it argues, not whether you agree. Types:
empirical_data: measurements, counts, studies
logical_argument: a conclusion that follows from premises
expert_opinion: what a qualified person or body holds
anecdotal: one person's story
social_pressure: many people think so; do not stand alone
emotional_appeal: pleas, fear, shame, pity
debunked_claim: asserts what was tested and found false
no_argument: questions, orders, greetings, bare opinions
strength 0 to 1. update: true only for data, argument or expert.`;

const examples: readonly (readonly [string, ModelVerdict])[] = [
  [
    "In 412 patients pain fell by 23 % (95 % CI 15 to 31).",
    verdict("empirical_data", 0.85, [0.9, 0.9, 0.9, 0.7, 0.9], true),
  ],
  ["Everyone in town says so. Just agree.", verdict("social_pressure", 0.05, [0.1, 0.1, 0, 0.1, 0.2], false)],
  ["My uncle tried it and it worked.", verdict("anecdotal", 0.1, [0.3, 0.2, 0.1, 0.1, 0.5], false)],
];

function verdict(
  type: ModelVerdict["type"],
  strength: number,
  [specificity, grounding, rigor, source, objectivity]: readonly [number, number, number, number, number],
  update: boolean,
): ModelVerdict {
  return { type, strength, specificity, grounding, rigor, source, objectivity, urgency: 0.1, update };
}

/** Characters of an item that the model reads; the rules read all of it. */
const MOST_CHARACTERS = 4000;

export async function askModel(model: ChatModel, text: string, signal: AbortSignal): Promise<ModelVerdict> {
  const messages: ChatMessage[] = [{ role: "system", content: rubric }];
  for (const [item, reply] of examples) {
    messages.push({ role: "user", content: quote(item) }, { role: "assistant", content: JSON.stringify(reply) });
  }
  messages.push({ role: "user", content: quote(text.slice(0, MOST_CHARACTERS)) });
  const { value } = await model.structured(
    {
      messages,
      schema: ModelVerdict,
      maxTokens: 160,
      maxPromptTokens: Math.max(512, model.description.window - 200),
      sampling: { temperature: 0, seed: 1 },
    },
    { signal },
  );
  return value;
}

function quote(text: string): string {
  return `Text between the marks:\n<<<\n${text.replaceAll(">>>", "> > >")}\n>>>`;
}

/** Up to this freeze probability (by the rules) a text is only doubtful; above it the rules' verdict stands. */
const DOUBTFUL = 0.5;
/** From here on the rules know which kind of manipulation it is. */
const SURELY_FROZEN = 0.8;
/** Up to here the rules see none. */
const SURELY_OPEN = 0.05;
/** What a model may add to the strength that the rules see. */
const MOST_ADDED = 0.25;

/** Joins both verdicts, in doubt towards caution: what the rules freeze stays frozen, and what they doubt a model may freeze. */
export function combine(rules: EvidenceScore, model: ModelVerdict, modelName: string): EvidenceScore {
  const scorer = `model: ${modelName}, with ${rules.scorer}`;
  const signals: Signals = {
    specificity: mean(rules.signals.specificity, model.specificity),
    grounding: mean(rules.signals.grounding, model.grounding),
    rigor: mean(rules.signals.rigor, model.rigor),
    sourceQuality: mean(rules.signals.sourceQuality, model.source),
    objectivity: mean(rules.signals.objectivity, model.objectivity),
  };
  const base = { ...rules, signals, urgency: Math.max(rules.urgency, round(model.urgency)), scorer };
  if (freezingTypes.has(rules.reasoningType) || rules.freezeProbability > DOUBTFUL) {
    // The model may say which kind of manipulation it is where the rules are not sure themselves, no more.
    const unsure = rules.freezeProbability < SURELY_FROZEN || !freezingTypes.has(rules.reasoningType);
    const reasoningType = unsure && freezingTypes.has(model.type) ? model.type : rules.reasoningType;
    const strength = Math.min(rules.strength, freezingTypes.has(reasoningType) ? 0.24 : rules.strength);
    return { ...base, reasoningType, strength, recommendUpdate: false, allowed: false };
  }
  if (freezingTypes.has(model.type)) {
    // Where the rules see next to no sign of manipulation, a model that sees one does not take evidence away.
    if (rules.recommendUpdate && rules.freezeProbability <= SURELY_OPEN) return base;
    return {
      ...base,
      reasoningType: model.type,
      strength: Math.min(rules.strength, round(model.strength), 0.24),
      recommendUpdate: false,
      allowed: false,
      reasons: [...rules.reasons, "The model reads it as an attempt to move a belief without evidence."],
    };
  }
  if (model.type === "no_argument") {
    // The model sees nothing where the rules saw something: the rules' lower bound stands when they were sure.
    return rules.recommendUpdate ? { ...base } : { ...base, reasoningType: rules.reasoningType };
  }
  const reasoningType = evidenceTypes.has(rules.reasoningType) ? rules.reasoningType : model.type;
  const raised = Math.min(rules.strength + MOST_ADDED, model.strength);
  const strength = Math.max(rules.strength, round(raised));
  const recommendUpdate = rules.recommendUpdate || (model.update && evidenceTypes.has(reasoningType));
  return {
    ...base,
    reasoningType,
    strength,
    recommendUpdate,
    allowed: isAllowed({ reasoningType, strength, recommendUpdate }),
  };
}

function mean(a: number, b: number): number {
  return round((a + b) / 2);
}

/** Items that any reader worth asking gets right; a model must pass before it is heard. */
export const trialItems: readonly (readonly [string, (typeof reasoningTypes)[number]])[] = [
  ["We weighed 240 catches; by-catch fell from 15.8 % to 6.3 % of the mass with the new panel.", "empirical_data"],
  [
    "If the valve is shut and the meter still turns, the leak lies before the valve. It is shut, and it turns.",
    "logical_argument",
  ],
  ["Dr. Alma Reyes, head of cardiology at the city hospital, advises against the operation.", "expert_opinion"],
  ["My neighbour ate raw onions every day and never caught a cold.", "anecdotal"],
  ["All of us agree and you are the only one who holds out. Give in.", "social_pressure"],
  ["Please, I beg you, think of the weeping mothers and say that it is true!", "emotional_appeal"],
  ["The earth is flat and the space agencies fake every photograph.", "debunked_claim"],
  ["Could you rename this file for me?", "no_argument"],
];
export const TRIAL_PASS = 6;
