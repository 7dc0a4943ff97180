/** From our messages to the model family's own prompt, through node-llama-cpp's chat wrappers. */
import type {
  ChatHistoryItem,
  ChatModelFunctions,
  ChatModelResponse,
  ChatWrapper,
  LlamaModel,
  LlamaText,
  Token,
  Tokenizer,
} from "node-llama-cpp";
import type { ChatMessage, ToolDefinition } from "../types.ts";

export interface Rendered {
  readonly tokens: Token[];
  /** Texts that end the model's turn. */
  readonly stops: string[];
  /** The prompt ends inside a reasoning part that the template opened. */
  readonly opensReasoning: boolean;
}

/**
 * Messages as the wrappers want them. One turn of the model is one item that holds its words, its calls and their results,
 * so a `tool` message fills the oldest open call of its name.
 */
export function toHistory(messages: readonly ChatMessage[]): ChatHistoryItem[] {
  const items: ChatHistoryItem[] = [];
  const modelItem = (): ChatModelResponse => {
    const last = items.at(-1);
    if (last?.type === "model") return last;
    const item: ChatModelResponse = { type: "model", response: [] };
    items.push(item);
    return item;
  };
  for (const message of messages) {
    if (message.role === "system") items.push({ type: "system", text: message.content });
    else if (message.role === "user") items.push({ type: "user", text: message.content });
    else if (message.role === "assistant") {
      const { response } = modelItem();
      if (message.content !== "") response.push(message.content);
      for (const [index, call] of (message.calls ?? []).entries()) {
        response.push({
          type: "functionCall",
          name: call.name,
          params: call.args,
          result: call.result,
          startsNewChunk: index === 0,
        });
      }
    } else fillResult(modelItem(), message);
  }
  if (items.at(-1)?.type !== "model") items.push({ type: "model", response: [""] });
  return items;
}

function fillResult(item: ChatModelResponse, message: ChatMessage): void {
  const named = message.calls?.[0]?.name;
  for (const part of item.response) {
    if (typeof part === "string" || part.type !== "functionCall" || part.result !== undefined) continue;
    if (named !== undefined && part.name !== named) continue;
    part.result = message.content;
    return;
  }
  const call = message.calls?.[0];
  item.response.push({
    type: "functionCall",
    name: call?.name ?? "tool",
    params: call?.args ?? {},
    result: message.content,
    startsNewChunk: true,
  });
}

export function toFunctions(tools: readonly ToolDefinition[] | undefined): ChatModelFunctions | undefined {
  if (!tools || tools.length === 0) return undefined;
  const functions: Record<string, { description: string; params: ChatModelFunctions[string]["params"] }> = {};
  // The wrappers only write the schema out; they take any JSON schema, though their types name a part of it.
  for (const tool of tools)
    functions[tool.name] = {
      description: tool.description,
      params: tool.parameters as ChatModelFunctions[string]["params"],
    };
  return functions;
}

export function render(
  model: LlamaModel,
  tokenizer: Tokenizer,
  wrapper: ChatWrapper,
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[] | undefined,
): Rendered {
  const functions = toFunctions(tools);
  const state = wrapper.generateContextState({
    chatHistory: toHistory(messages),
    ...(functions ? { availableFunctions: functions } : {}),
    documentFunctionParams: true,
  });
  let tokens = state.contextText.tokenize(tokenizer, "trimLeadingSpace");
  const thought = wrapper.settings.segments?.thought;
  let opensReasoning = false;
  if (thought?.openOnResponseStart === true && messages.at(-1)?.role !== "assistant") {
    opensReasoning = true;
    const prefix = thought.prefix;
    if (typeof prefix === "string") tokens.push(...tokenizer(prefix, true));
    else if (!("type" in prefix)) tokens.push(...prefix.tokenize(tokenizer));
  }
  // Some wrappers write a beginning-of-text token that the template itself writes once more.
  const { bos } = model.tokens;
  if (bos !== null && tokens[0] === bos && tokens[1] === bos) tokens = tokens.slice(1);
  return { tokens, stops: state.stopGenerationTriggers.map(plainText).filter((text) => text !== null), opensReasoning };
}

/** A trigger as plain text; null when it names a token that has none (those end the turn by themselves). */
export function plainText(text: LlamaText | string): string | null {
  if (typeof text === "string") return text || null;
  let whole = "";
  for (const value of text.values) {
    if (typeof value === "string") whole += value;
    else if (value.toJSON().type === "specialTokensText") whole += value.value;
    else return null;
  }
  return whole || null;
}
