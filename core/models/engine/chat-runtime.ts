/** One loaded chat model: a sequence for the conversation, sequences for side calls, and everything asked of them. */
import type { ChatWrapper, LlamaContext, LlamaModel, Token, Tokenizer } from "node-llama-cpp";
import { CredenceError } from "../../contract/index.ts";
import type { Fit } from "../memory-fit.ts";
import type { ModelFacts } from "../model-facts.ts";
import { type ResolvedSampling, resolveSampling, samplingDefaults } from "../sampling.ts";
import type { ChatMessage, ChatRequest, ChatResult, ModelDescription, ToolCall, ToolDefinition } from "../types.ts";
import { afterCall, type CallTools, callOpenings, writeCall } from "./calls.ts";
import { decode } from "./decode.ts";
import type { ComputeGate, Turn } from "./gate.ts";
import { limitsFor, schemaToGrammar } from "./json-grammar.ts";
import { KeptStates } from "./kept-states.ts";
import { Lanes } from "./lanes.ts";
import type { OpenedLlama } from "./llama.ts";
import type { LoadChat, OperationContext, PrefillRequest, StructuredRequest, StructuredResult } from "./protocol.ts";
import { type Rendered, render } from "./render.ts";
import type { Slot } from "./slot.ts";
import { StateFiles } from "./state-files.ts";
import { OutputStream, type StreamEvent } from "./stream.ts";
import { safeTokenizer } from "./tokens.ts";

const stateLimitBytes = 1.5e9;
const mostCalls = 8;

export interface RuntimeParts {
  readonly opened: OpenedLlama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly facts: ModelFacts;
  readonly fit: Fit;
  readonly load: LoadChat;
  readonly gate: ComputeGate;
}

export class ChatRuntime {
  readonly description: ModelDescription;
  readonly #parts: RuntimeParts;
  readonly #wrapper: ChatWrapper;
  readonly #tokenizer: Tokenizer;
  readonly #sampling: ResolvedSampling;
  readonly #openings: string[];
  readonly #lanes: Lanes;
  readonly #states: KeptStates;

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    const { model, facts, load, opened } = parts;
    this.#wrapper = opened.module.resolveChatWrapper(model, { warningLogs: false });
    this.#tokenizer = safeTokenizer(model);
    this.#sampling = samplingDefaults(facts);
    this.#openings = callOpenings(this.#wrapper);
    this.#lanes = new Lanes(parts);
    // What a state means depends on weights, template and the engine that wrote it.
    const print = `${load.fingerprint}/${this.#wrapper.wrapperName}/${engineVersion(opened)}`;
    const files = load.stateFolder === null ? null : new StateFiles(load.stateFolder, print, stateLimitBytes);
    this.#states = new KeptStates(this.#lanes.conversation, files);
    this.description = {
      id: load.id,
      name: facts.name,
      architecture: facts.architecture,
      parameters: facts.parameters,
      trainedContext: facts.trainedContext,
      window: parts.context.contextSize,
      supportsTools: facts.supportsTools,
      reasons: facts.reasons,
    };
  }

  /** Frees everything, once what is under way has ended: changing models does not break an answer off. */
  async dispose(): Promise<void> {
    await this.#lanes.dispose();
    await this.#parts.model.dispose();
  }

  async generate(request: ChatRequest, context: OperationContext): Promise<ChatResult> {
    const rendered = this.#render(request.messages, request.tools);
    const room = this.#room(rendered.tokens.length, request.maxPromptTokens);
    return this.#lanes.run(
      request.lane,
      request.cacheKey,
      rendered.tokens.length + Math.min(room, request.maxTokens),
      context.signal,
      async (slot, turn) => {
        const started = performance.now();
        if (request.lane === "conversation") await this.#states.enter(request, rendered.tokens);
        const prepared = await this.#prepare(slot, rendered.tokens, 1, context.signal, turn);
        if (prepared === null) return emptyResult(rendered.tokens.length);
        const promptDone = performance.now();
        const written = await this.#write(
          slot,
          rendered,
          request,
          prepared.tokens,
          Math.min(slot.roomAfter(prepared.tokens), request.maxTokens),
          context,
          turn,
        );
        return {
          ...written,
          promptTokens: prepared.tokens.length,
          cachedTokens: prepared.cachedTokens,
          promptMs: promptDone - started,
          decodeMs: performance.now() - promptDone,
        };
      },
    );
  }

  /** Decodes after a prepared prompt, following the model into its calls. */
  async #write(
    slot: Slot,
    rendered: Rendered,
    request: ChatRequest,
    prompt: readonly Token[],
    maxTokens: number,
    context: OperationContext,
    turn: Turn,
  ): Promise<Pick<ChatResult, "text" | "reasoning" | "calls" | "stopped" | "generatedTokens">> {
    const { model } = this.#parts;
    const tools = request.tools ?? [];
    const stream = new OutputStream(
      {
        model,
        stops: request.stop ?? [],
        callOpenings: tools.length > 0 ? this.#openings : [],
        startsInReasoning: rendered.opensReasoning,
        onChunk: (chunk) => context.chunk(chunk),
      },
      rendered.stops,
    );
    let event: StreamEvent = "go";
    let generated = 0;
    const job = {
      sequence: slot.sequence,
      sampling: resolveSampling(this.#sampling, request.sampling),
      maxTokens,
      signal: context.signal,
      turn,
    };
    const end = await decode({
      ...job,
      start: prompt.slice(-1),
      onToken: (token) => {
        generated++;
        event = stream.push(token);
        return event === "go" ? "go" : "stop";
      },
    });
    const calls: ToolCall[] = [];
    let cut = end === "length";
    if (end === "stop" && (event as StreamEvent) === "call") {
      const at = stream.callAt!;
      await slot.sequence.eraseContextTokenRanges([
        { start: prompt.length + at.tokens, end: slot.sequence.nextTokenIndex },
      ]);
      const more = await this.#writeCalls(tools, this.#tokenizer(at.textBefore, false, "trimLeadingSpace"), {
        ...job,
        maxTokens: maxTokens - generated,
      });
      calls.push(...more.calls);
      generated += more.tokens;
      cut = more.calls.length === 0 && !context.signal.aborted;
      stream.endAtCall();
    } else stream.end();
    const stopped = context.signal.aborted ? "aborted" : calls.length > 0 ? "call" : cut ? "length" : stoppedBy(event);
    return { text: stream.answer, reasoning: stream.reasoning, calls, stopped, generatedTokens: generated };
  }

  async #writeCalls(
    tools: readonly ToolDefinition[],
    before: readonly Token[],
    job: Omit<Parameters<typeof decode>[0], "start" | "onToken" | "grammar">,
  ): Promise<{ calls: ToolCall[]; tokens: number }> {
    const on: CallTools = {
      ...this.#parts.opened,
      model: this.#parts.model,
      tokenizer: this.#tokenizer,
      wrapper: this.#wrapper,
    };
    const calls: ToolCall[] = [];
    let tokens = 0;
    let start = before;
    while (calls.length < mostCalls) {
      const written = await writeCall(on, tools, start, { ...job, maxTokens: job.maxTokens - tokens });
      if (!written) break;
      calls.push(written.call);
      tokens += written.tokens;
      const between = afterCall(on, written.call.name);
      if (!between || job.signal.aborted || job.maxTokens - tokens < 32) break;
      // Does another call follow? Anything but its opening words ends the turn.
      const kept = job.sequence.nextTokenIndex + between.length;
      let heard = "";
      const end = await decode({
        ...job,
        start: between,
        maxTokens: 12,
        onToken: (token) => {
          tokens++;
          heard += this.#parts.model.detokenize([token], true);
          const text = heard.trimStart();
          if (this.#openings.some((opening) => text.startsWith(opening))) return "stop";
          return text === "" || this.#openings.some((opening) => opening.startsWith(text)) ? "go" : "stop";
        },
      });
      const text = heard.trimStart();
      const opened = this.#openings.find((opening) => text.startsWith(opening));
      if (end !== "stop" || !opened) break;
      // The opening was heard, not kept: the call writes it again in its exact form.
      await job.sequence.eraseContextTokenRanges([{ start: kept, end: job.sequence.nextTokenIndex }]);
      start = [];
    }
    return { calls, tokens };
  }

  /** JSON under the schema's grammar. Not parsed here: the schema's owner validates. */
  async structured(request: StructuredRequest, context: OperationContext): Promise<StructuredResult> {
    const { module, llama } = this.#parts.opened;
    const { model } = this.#parts;
    let grammar: string;
    try {
      grammar = schemaToGrammar(request.schema, limitsFor(request.schema, request.maxTokens));
    } catch (error) {
      throw new CredenceError(
        "models.invalid-request",
        { problem: error instanceof Error ? error.message : String(error) },
        { cause: error },
      );
    }
    const rendered = this.#render(request.messages, undefined);
    const room = this.#room(rendered.tokens.length, request.maxPromptTokens);
    const maxTokens = Math.min(room, request.maxTokens);
    return this.#lanes.run(
      "side",
      request.cacheKey,
      rendered.tokens.length + maxTokens,
      context.signal,
      async (slot, turn) => {
        const prepared = await slot.prepare(rendered.tokens, 1, context.signal, turn);
        const written: Token[] = [];
        const sampling = resolveSampling(
          { ...this.#sampling, temperature: 0, repeatPenalty: 1, phrasePenalty: 0 },
          request.sampling,
        );
        const end = await decode({
          sequence: slot.sequence,
          start: prepared.tokens.slice(-1),
          sampling,
          grammar: new module.LlamaGrammarEvaluationState({
            model,
            grammar: new module.LlamaGrammar(llama, { grammar }),
          }),
          maxTokens: Math.min(maxTokens, slot.roomAfter(prepared.tokens)),
          signal: context.signal,
          turn,
          onToken: (token) => {
            written.push(token);
            return "go";
          },
        });
        context.signal.throwIfAborted();
        return {
          text: model.detokenize(written),
          cut: end !== "end",
          promptTokens: prepared.tokens.length,
          generatedTokens: written.length,
        };
      },
    );
  }

  async prefill(request: PrefillRequest, context: OperationContext): Promise<null> {
    const rendered = this.#render(request.messages, request.tools);
    this.#room(rendered.tokens.length, Number.POSITIVE_INFINITY);
    return this.#lanes.run(
      request.lane,
      request.cacheKey,
      rendered.tokens.length,
      context.signal,
      async (slot, turn) => {
        if (request.lane === "conversation") await this.#states.enter(request, rendered.tokens);
        await slot.prepare(rendered.tokens, 0, context.signal, turn);
        return null;
      },
    );
  }

  countPrompt(messages: readonly ChatMessage[], tools: readonly ToolDefinition[] | undefined): number {
    return this.#render(messages, tools).tokens.length;
  }

  countTokens(texts: readonly string[]): number[] {
    return texts.map((text) => (text === "" ? 0 : this.#tokenizer(text, false, "trimLeadingSpace").length));
  }

  async saveState(cacheKey: string | null, signal: AbortSignal): Promise<{ savedBytes: number }> {
    return { savedBytes: await this.#states.save(cacheKey, signal) };
  }

  async dropState(cacheKey: string): Promise<null> {
    await this.#states.drop(cacheKey);
    return null;
  }

  async #prepare(
    slot: Slot,
    tokens: readonly Token[],
    leave: 0 | 1,
    signal: AbortSignal,
    turn: Turn,
  ): Promise<{ tokens: Token[]; cachedTokens: number } | null> {
    try {
      return await slot.prepare(tokens, leave, signal, turn);
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  #render(messages: readonly ChatMessage[], tools: readonly ToolDefinition[] | undefined): Rendered {
    try {
      return render(this.#parts.model, this.#tokenizer, this.#wrapper, messages, tools);
    } catch (error) {
      throw new CredenceError(
        "models.invalid-request",
        {
          problem: `its messages do not fit the model's template (${error instanceof Error ? error.message : String(error)})`,
        },
        { cause: error },
      );
    }
  }

  /** Tokens left to write in; throws `models.prompt-too-large`. Side calls have as much room as the conversation. */
  #room(promptTokens: number, maxPromptTokens: number): number {
    const { window } = this.description;
    const limit = Math.min(maxPromptTokens, window - 8);
    if (promptTokens > limit) throw new CredenceError("models.prompt-too-large", { promptTokens, limit });
    return window - 1 - promptTokens;
  }
}

function emptyResult(promptTokens: number): ChatResult {
  return {
    text: "",
    reasoning: "",
    calls: [],
    stopped: "aborted",
    promptTokens,
    cachedTokens: 0,
    generatedTokens: 0,
    promptMs: 0,
    decodeMs: 0,
  };
}

function stoppedBy(event: StreamEvent): ChatResult["stopped"] {
  if (event === "stop-text") return "stop-text";
  return event === "repetition" ? "repetition" : "end";
}

function engineVersion(opened: OpenedLlama): string {
  const { release } = opened.llama.llamaCppRelease;
  return `${release}/${opened.llama.gpu || "cpu"}`;
}
