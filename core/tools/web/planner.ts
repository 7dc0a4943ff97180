import { z } from "zod";
import type { ChatModel } from "../../models/types.ts";
import type { PlannerPort } from "./ports.ts";

const MAX_TOKENS = 320;

/** A checklist by a model that can be trusted with one; without such a model the list is empty and rules make it. */
export function modelPlanner(capable: () => Promise<ChatModel | null>): PlannerPort {
  return {
    async checklist({ question, known, size, signal }) {
      const model = await capable();
      if (!model) return [];
      const { value } = await model.structured(
        {
          messages: [
            {
              role: "system",
              content: `Break the question into at most ${size} short questions that one can search for, the most important first. Ask for facts, figures, dates and sources; leave out what is known already.`,
            },
            { role: "user", content: known === "" ? question : `${question}\n\nKnown already: ${known}` },
          ],
          schema: z.object({ questions: z.array(z.string().max(160)).max(size) }),
          maxTokens: MAX_TOKENS,
          maxPromptTokens: Math.floor(model.description.window * 0.65),
          sampling: { temperature: 0 },
        },
        { signal },
      );
      return value.questions;
    },
  };
}
