/**
 * What the rest of the core knows of language models. Nothing of llama.cpp shows here, so that another engine
 * (a server on the user's own network) can stand behind the same interfaces.
 */
import type { z } from "zod";

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** For `assistant`: calls it made. For `tool`: the call it answers. */
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly result?: string }[];
}

/** A tool as the model sees it; `parameters` is a JSON schema (object at the top). */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly repeatPenalty?: number;
  readonly seed?: number;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly maxTokens: number;
  /** The prompt may not be larger than this many tokens; above it the engine refuses with `models.prompt-too-large`. */
  readonly maxPromptTokens: number;
  readonly sampling?: Sampling;
  /** Requests with the same key reuse the key's evaluated prefix (KV cache). `side` calls never evict a conversation. */
  readonly cacheKey: string;
  readonly lane: "conversation" | "side";
  /**
   * The evaluated state may be written to disk, so that the conversation is taken up quickly after another one or a relaunch.
   * Never set for conversations that must leave no trace.
   */
  readonly keepState?: boolean;
  readonly stop?: readonly string[];
}

export type StreamChunk = { readonly channel: "answer" | "reasoning"; readonly text: string };

export interface ToolCall {
  readonly name: string;
  /** Parsed JSON arguments; not yet validated against the tool's own schema. */
  readonly args: unknown;
}

export interface ChatResult {
  /** What was streamed as answer; after a `repetition` without the part that repeats. */
  readonly text: string;
  readonly reasoning: string;
  /** Calls made in the model family's own format. Calls written as plain text are the agent's to recognise. */
  readonly calls: readonly ToolCall[];
  readonly stopped: "end" | "length" | "stop-text" | "repetition" | "aborted" | "call";
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  readonly promptMs: number;
  readonly decodeMs: number;
}

export interface ModelDescription {
  readonly id: string;
  readonly name: string;
  readonly architecture: string;
  readonly parameters?: number;
  readonly trainedContext: number;
  /** Tokens this loaded instance can hold. */
  readonly window: number;
  readonly supportsTools: boolean;
  readonly reasons: boolean;
}

export interface ChatModel {
  readonly description: ModelDescription;
  /** Streams in order. An aborted signal ends decoding within one token; the result then holds what was written so far. */
  generate(
    request: ChatRequest,
    options: { signal: AbortSignal; onChunk?: (chunk: StreamChunk) => void },
  ): Promise<ChatResult>;
  /** Exact prompt tokens of a request with this model's template, tools included. */
  countPrompt(messages: readonly ChatMessage[], tools?: readonly ToolDefinition[]): Promise<number>;
  /** Exact tokens of plain texts, one count each. */
  countTokens(texts: readonly string[]): Promise<number[]>;
  /** Evaluates the prompt without generating, so that a later request with the same prefix starts soon. */
  prefill(
    request: Pick<ChatRequest, "messages" | "tools" | "cacheKey" | "lane" | "keepState">,
    options: { signal: AbortSignal },
  ): Promise<void>;
  /** JSON under a grammar, validated by `schema`; throws `models.structured-invalid` when cut short or not valid after one retry. */
  structured<Schema extends z.ZodType>(
    request: {
      readonly messages: readonly ChatMessage[];
      readonly schema: Schema;
      readonly maxTokens: number;
      readonly maxPromptTokens: number;
      readonly sampling?: Sampling;
      /** Side calls of one kind share a key, so that what their prompts begin with is evaluated once. */
      readonly cacheKey?: string;
    },
    options: { signal: AbortSignal },
  ): Promise<{ value: z.output<Schema>; promptTokens: number; generatedTokens: number }>;
}

export interface Embedder {
  /** Changes whenever vectors of another instance could not be compared with this one's. */
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  /** Unit-length vectors, in the order of `texts`. Texts above `maxTokens` are cut at the token limit, never refused. */
  embed(texts: readonly string[], options?: { signal?: AbortSignal; background?: boolean }): Promise<Float32Array[]>;
  countTokens(texts: readonly string[]): Promise<number[]>;
}

/** What a task needs of a model; the router picks who does it. */
export type Need = "chat" | "structured" | "fast" | "reasoning" | "embed" | "rerank";

export interface Models {
  /** The model for a need, loading it when necessary. Throws `models.none-installed` or why it could not be loaded. */
  chat(need: Exclude<Need, "embed" | "rerank">): Promise<ChatModel>;
  /** Null when no embedding model is installed: search is lexical then. */
  embedder(): Promise<Embedder | null>;
  /**
   * Writes a conversation's evaluated state to disk now, as when it is left. It comes back by itself with the next request of
   * the same `cacheKey`, also after a relaunch. States of requests with `keepState` are written without this when another
   * conversation takes over and when Credence closes.
   */
  saveState?(cacheKey: string): Promise<void>;
  /** Removes a kept state, as when its conversation is deleted. */
  dropState?(cacheKey: string): Promise<void>;
}
