import { z } from "zod";
import { parametersOf } from "../parameters.ts";
import type { Tool } from "../types.ts";
import { quoted } from "./passages.ts";

const Args = z.object({
  question: z.string().min(1).max(500).describe("One short question"),
  options: z.array(z.string().min(1).max(120)).max(6).catch([]).default([]).describe("Short answers to pick from"),
});

/** Asks the user back. The loop puts the question, and the user's answer is the result. */
export const askUser: Tool<z.output<typeof Args>> = {
  name: "ask_user",
  description:
    "Ask the user one short question when their message can mean different things and the answer depends on it.",
  schema: Args,
  parameters: parametersOf(Args),
  safety: "safe",
  timeoutMs: 1_000,
  label: ({ question }) => `Asking you: ${quoted(question)}`,
  asks: ({ question, options }) => ({ question, options }),
  // The loop never runs a tool that asks; should anything do so, the question stays unanswered.
  execute: async ({ question }) => ({ text: `The question "${question}" was not answered.`, summary: "Not answered" }),
};
