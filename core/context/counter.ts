import type { ChatMessage, ChatModel, ToolDefinition } from "../models/types.ts";

/** Exact counts by the model's own tokenizer; texts counted once are remembered. */
export interface TokenCounter {
  prompt(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): Promise<number>;
  /** One count a text, in order. */
  texts(texts: readonly string[]): Promise<number[]>;
  /** Whether `text` has more than `limit` tokens; reads no further than it must, whatever the text's size. */
  exceeds(text: string, limit: number): Promise<boolean>;
}

const REMEMBERED = 4_000;
const SLICE = 65_536;

export function createTokenCounter(model: Pick<ChatModel, "countPrompt" | "countTokens">): TokenCounter {
  const known = new Map<string, number>();

  async function texts(wanted: readonly string[]): Promise<number[]> {
    const missing = [...new Set(wanted.filter((text) => text !== "" && !known.has(text)))];
    if (missing.length > 0) {
      const counts = await model.countTokens(missing);
      if (known.size + missing.length > REMEMBERED) known.clear();
      const counted = new Map(missing.map((text, i) => [text, counts[i] ?? 0]));
      for (const [text, count] of counted) known.set(text, count);
      return wanted.map((text) => (text === "" ? 0 : (counted.get(text) ?? known.get(text) ?? 0)));
    }
    return wanted.map((text) => (text === "" ? 0 : (known.get(text) ?? 0)));
  }

  return {
    prompt: (messages, tools) => model.countPrompt(messages, tools.length > 0 ? tools : undefined),
    texts,
    async exceeds(text, limit) {
      let total = 0;
      for (let at = 0; at < text.length; at += SLICE) {
        const [count] = await model.countTokens([text.slice(at, at + SLICE)]);
        total += count ?? 0;
        // A cut between slices can split one token in two: allow for it before calling the text too large.
        if (total - at / SLICE > limit) return true;
      }
      return false;
    },
  };
}
