import { z } from "zod";
import type { ChatModel } from "../models/types.ts";

/** What a capable model does for memory beside extracting facts: it orders what was found and asks what it answers. */

const Order = z.object({ best: z.array(z.number().int().min(1)).max(20) });
const Questions = z.object({ questions: z.array(z.string().min(8).max(200)).max(4) });

/** Characters of one passage that a model looks at. */
const maximumChars = 500;

/** Listwise reranking (Sun et al. 2023): the numbers of the passages that help to answer, best first, as places from 0. */
export async function rerankByModel(
  model: ChatModel,
  question: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const passages = texts.map((text, i) => `[${i + 1}] ${text.replace(/\s+/g, " ").slice(0, maximumChars)}`);
  const { value } = await model.structured(
    {
      messages: [
        {
          role: "system",
          content:
            "Order the numbered passages by how well they help to answer the question. Give the numbers of those that help, best first. A passage that only shares words with the question does not help.",
        },
        { role: "user", content: `Question: ${question.slice(0, 1000)}\n\n${passages.join("\n")}` },
      ],
      schema: Order,
      maxTokens: 120,
      maxPromptTokens: 3000,
      sampling: { temperature: 0 },
    },
    { signal },
  );
  return value.best.map((number) => number - 1);
}

/** Up to four questions that a text answers, in other words than its own where that is natural. */
export async function anticipatedQuestions(model: ChatModel, text: string, signal: AbortSignal): Promise<string[]> {
  const { value } = await model.structured(
    {
      messages: [
        {
          role: "system",
          content:
            "Write up to four short questions that the text answers and that somebody may ask later. Only what the text itself answers; none when it answers nothing.",
        },
        { role: "user", content: text.slice(0, 2000) },
      ],
      schema: Questions,
      maxTokens: 200,
      maxPromptTokens: 1500,
    },
    { signal },
  );
  return [...new Set(value.questions.map((question) => question.trim()).filter((question) => question.length > 0))];
}
