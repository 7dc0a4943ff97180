import { z } from "zod";
import { parametersOf } from "../parameters.ts";
import type { MemorySearchPort } from "../ports.ts";
import type { Tool } from "../types.ts";
import { passageOutput, quoted } from "./passages.ts";

const Args = z.object({
  query: z.string().max(2000).default("").describe("What to remember, in a few words"),
  limit: z.coerce.number().int().min(1).max(20).catch(8).default(8).describe("How many memories at most"),
});

/** Looks back at what was said before and what is known of the user. */
export function recallMemory(memory: MemorySearchPort): Tool<z.output<typeof Args>> {
  return {
    name: "recall_memory",
    description:
      "Look up what the user said before, in this or earlier conversations, and facts kept about them. Not for general knowledge.",
    schema: Args,
    parameters: parametersOf(Args),
    safety: "safe",
    timeoutMs: 20_000,
    label: ({ query }) => `Recalling ${quoted(query)}`,
    async execute({ query, limit }, context) {
      const passages = await memory.search({
        query: query.trim() || context.userText,
        conversationId: context.conversationId,
        limit,
        signal: context.signal,
      });
      return passageOutput(passages, { none: "Nothing about this was said before.", noun: "note" });
    },
  };
}
