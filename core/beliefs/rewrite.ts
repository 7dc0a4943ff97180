/**
 * The snapshot in a model's words. The model gets what is believed and may only say it better: a sentence that is not
 * borne by a belief, or a figure that no belief holds, sends the whole text back, and the plain list stands.
 */
import type { ChatModel } from "../models/types.ts";
import type { BeliefRow } from "./rows.ts";
import { normalise, sentences } from "./scorer/cues.ts";
import { contentWords, stem } from "./scorer/topics.ts";

const MOST_TOKENS = 600;
/** Words of holding and doubting that any sentence of a snapshot may use. */
const framing = new Set(
  "hold believe think doubt lean view know whether sure unsure certain uncertain evidence support supports against true false disputed mostly likely unlikely rest rests source sources several still also"
    .split(" ")
    .map(stem),
);
const LEAST_BORNE = 0.6;

export async function rewriteByModel(
  model: ChatModel,
  plain: string,
  before: string,
  beliefs: readonly BeliefRow[],
  signal: AbortSignal,
): Promise<string | null> {
  const { text, stopped } = await model.generate(
    {
      messages: [
        {
          role: "system",
          content:
            "You write down what you believe, in the first person, in plain prose of at most 350 words, one paragraph a subject. Say only what the notes say. Keep every belief, how firmly it is held, and what is disputed. No headings, no lists, no new facts.",
        },
        {
          role: "user",
          content: `Notes:\n${plain}${before ? `\n\nThe text so far, to keep where it still fits:\n${before}` : ""}`,
        },
      ],
      maxTokens: MOST_TOKENS,
      maxPromptTokens: Math.max(1024, model.description.window - MOST_TOKENS - 64),
      sampling: { temperature: 0.2, seed: 1 },
      cacheKey: "beliefs-snapshot",
      lane: "side",
    },
    { signal },
  );
  const written = text.trim();
  return stopped === "end" && isBorne(written, beliefs) ? written : null;
}

/** Whether every sentence stays within what is believed. */
export function isBorne(text: string, beliefs: readonly BeliefRow[]): boolean {
  const known = new Set(beliefs.flatMap((belief) => contentWords(belief.statement).map(stem)));
  const figures = new Set(
    beliefs.flatMap((belief) => [
      ...(belief.statement.match(/\d+(?:[.,]\d+)*/g) ?? []),
      String(belief.state.supports),
      String(belief.state.contradicts),
    ]),
  );
  const parts = sentences(normalise(text));
  return (
    parts.length > 0 &&
    parts.every((sentence) => {
      const words = contentWords(sentence)
        .map(stem)
        .filter((word) => !framing.has(word));
      const borne = words.filter((word) => known.has(word)).length;
      const numbers = sentence.match(/\d+(?:[.,]\d+)*/g) ?? [];
      return borne >= LEAST_BORNE * words.length && numbers.every((number) => figures.has(number));
    })
  );
}
