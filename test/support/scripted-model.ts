import type { z } from "zod";
import type {
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatResult,
  StreamChunk,
  ToolCall,
  ToolDefinition,
} from "../../core/models/types.ts";

/** Stands in every raw tool output of a test; a prompt of THINKING that holds it has let raw output in. */
export const RAW = "⟦raw⟧";

export type Reply =
  | string
  | { readonly calls: readonly ToolCall[]; readonly text?: string }
  | { readonly text: string; readonly stopped: ChatResult["stopped"]; readonly reasoning?: string }
  | { readonly hang: true; readonly text?: string }
  | { readonly fail: Error };

export interface ScriptedModelOptions {
  readonly window?: number;
  /** Absent: of unknown size. */
  readonly parameters?: number;
  /** What THINKING number n (from 1) replies. */
  readonly think: (request: ChatRequest, n: number) => Reply;
  /** What a structured side call gives; a thrown error is the call's failure. `hang` never ends until aborted. */
  readonly structured?: (messages: readonly ChatMessage[], n: number) => unknown | Promise<unknown>;
}

/** A model that follows a script and judges every prompt it is given, whatever the test is about. */
export interface ScriptedModel extends ChatModel {
  readonly prompts: ChatRequest[];
  readonly sidePrompts: (readonly ChatMessage[])[];
  /** Violations found so far; a test ends by expecting none. */
  readonly violations: string[];
  readonly prefills: (readonly ChatMessage[])[];
}

/** Four characters a token, four tokens of template a message: coarse, but the same everywhere in a test. */
export function countText(text: string): number {
  return Math.ceil(text.length / 4);
}

export function countMessages(messages: readonly ChatMessage[], tools: readonly ToolDefinition[] = []): number {
  const body = messages.reduce((sum, message) => sum + countText(message.content) + 4, 0);
  return body + (tools.length === 0 ? 0 : countText(JSON.stringify(tools)) + 8) + 3;
}

export function scriptedModel(options: ScriptedModelOptions): ScriptedModel {
  const window = options.window ?? 8_192;
  const prompts: ChatRequest[] = [];
  const sidePrompts: (readonly ChatMessage[])[] = [];
  const prefills: (readonly ChatMessage[])[] = [];
  const violations: string[] = [];

  function judge(
    messages: readonly ChatMessage[],
    tools: readonly ToolDefinition[] | undefined,
    limit: number,
    thinking: boolean,
  ): void {
    const total = countMessages(messages, tools);
    if (total > limit) violations.push(`A prompt of ${total} tokens passes the limit of ${limit}`);
    if (limit > Math.floor(0.65 * window)) violations.push(`The limit ${limit} passes 65 % of the window`);
    if (messages[0]?.role !== "system") violations.push("A prompt does not begin with the system message");
    if (thinking && messages.at(-1)?.role !== "user") violations.push("A THINKING prompt does not end with the user");
    for (let i = 1; i < messages.length; i++) {
      const expected = i % 2 === 1 ? "user" : "assistant";
      if (messages[i]?.role !== expected) violations.push(`Roles do not alternate at message ${i}`);
    }
    if (thinking && messages.some((message) => message.content.includes(RAW)))
      violations.push("Raw tool output is in a THINKING prompt");
  }

  return {
    description: {
      id: "scripted",
      name: "Scripted",
      architecture: "script",
      trainedContext: window,
      ...(options.parameters ? { parameters: options.parameters } : {}),
      window,
      supportsTools: true,
      reasons: false,
    },
    prompts,
    sidePrompts,
    prefills,
    violations,
    async generate(request, { signal, onChunk }) {
      prompts.push(request);
      judge(request.messages, request.tools, request.maxPromptTokens, true);
      const reply = options.think(request, prompts.length);
      const promptTokens = countMessages(request.messages, request.tools);
      const base = { reasoning: "", calls: [], promptTokens, cachedTokens: 0, promptMs: 1, decodeMs: 1 };
      const push = (text: string) => {
        for (const piece of text.match(/[\s\S]{1,7}/g) ?? [])
          if (!signal.aborted) onChunk?.({ channel: "answer", text: piece } satisfies StreamChunk);
      };
      if (typeof reply === "string") {
        push(reply);
        return { ...base, text: reply, stopped: "end", generatedTokens: countText(reply) };
      }
      if ("fail" in reply) throw reply.fail;
      if ("hang" in reply) {
        push(reply.text ?? "");
        await aborted(signal);
        return { ...base, text: reply.text ?? "", stopped: "aborted", generatedTokens: 1 };
      }
      if ("calls" in reply) {
        push(reply.text ?? "");
        return { ...base, text: reply.text ?? "", calls: reply.calls, stopped: "call", generatedTokens: 8 };
      }
      push(reply.text);
      return {
        ...base,
        text: reply.text,
        reasoning: reply.reasoning ?? "",
        stopped: reply.stopped,
        generatedTokens: countText(reply.text),
      };
    },
    async countPrompt(messages, tools) {
      return countMessages(messages, tools);
    },
    async countTokens(texts) {
      return texts.map(countText);
    },
    async prefill(request) {
      prefills.push(request.messages);
    },
    async structured(request, { signal }) {
      sidePrompts.push(request.messages);
      judge(request.messages, undefined, request.maxPromptTokens, false);
      const made = options.structured?.(request.messages, sidePrompts.length) ?? {
        long_term_memory: `Finding ${sidePrompts.length}: the tool gave what was asked for, in enough words.`,
        short_term_memory: "I have enough information to answer.",
      };
      const value = await Promise.race([
        Promise.resolve(made),
        aborted(signal).then(() => Promise.reject(new DOMException("stopped", "AbortError"))),
      ]);
      return {
        value: request.schema.parse(value) as z.output<typeof request.schema>,
        promptTokens: countMessages(request.messages),
        generatedTokens: 20,
      };
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
