/** One loaded embedding model. Texts are cut at its token limit; vectors come out with unit length. */

import { basename } from "node:path";
import type { LlamaEmbeddingContext, LlamaModel, Token, Tokenizer } from "node-llama-cpp";
import { CredenceError } from "../../contract/index.ts";
import { readModelFacts } from "../model-facts.ts";
import type { ComputeGate } from "./gate.ts";
import type { OpenedLlama } from "./llama.ts";
import { loadError } from "./load.ts";
import type { EmbedderDescription, LoadEmbedder, OperationContext } from "./protocol.ts";
import { safeTokenizer } from "./tokens.ts";

/** No token of a word-piece vocabulary is longer, so this much text always fills the limit. */
const lettersPerToken = 24;
/** Longer inputs than this are cut even where a model would take them: one vector says little about a book. */
const longestInput = 8192;

export class EmbedderRuntime {
  readonly description: EmbedderDescription;
  readonly #model: LlamaModel;
  readonly #context: LlamaEmbeddingContext;
  readonly #gate: ComputeGate;
  readonly #tokenizer: Tokenizer;
  /** Tokens that the context puts around a text. */
  readonly #frame: number;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(model: LlamaModel, context: LlamaEmbeddingContext, gate: ComputeGate, id: string, maxTokens: number) {
    this.#model = model;
    this.#context = context;
    this.#gate = gate;
    this.#tokenizer = safeTokenizer(model);
    this.#frame = context.calculateInputLength("a") - this.#tokenizer("a", false).length;
    this.description = { id, dimensions: model.embeddingVectorSize, maxTokens: maxTokens - this.#frame };
  }

  static async load(opened: OpenedLlama, load: LoadEmbedder, gate: ComputeGate): Promise<EmbedderRuntime> {
    const file = basename(load.path);
    const facts = await readModelFacts(load.path);
    if (facts.role !== "embed")
      throw new CredenceError("models.wrong-role", {
        file,
        role: facts.role === "chat" ? "chat" : "ranking",
        wanted: "embedding",
      });
    const maxTokens = Math.min(facts.trainedContext, longestInput);
    opened.complaints();
    let model: LlamaModel | null = null;
    try {
      model = await opened.llama.loadModel({ modelPath: load.path });
      // Half of the cores: the model is so small that more of them mostly wait for one another.
      // One token more than the longest input: the context refuses an input that fills it.
      const context = await model.createEmbeddingContext({
        contextSize: maxTokens + 8,
        batchSize: maxTokens + 8,
        threads: Math.max(1, Math.floor(opened.threads / 2)),
      });
      return new EmbedderRuntime(model, context, gate, load.id, maxTokens);
    } catch (error) {
      await model?.dispose();
      throw loadError(file, error, opened.complaints());
    }
  }

  async dispose(): Promise<void> {
    await this.#context.dispose();
    await this.#model.dispose();
  }

  async embed(texts: readonly string[], background: boolean, context: OperationContext): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const turn = this.#gate.begin(background ? "background" : "query");
      try {
        const waiting = turn.step(context.signal);
        if (waiting) await waiting;
        context.signal.throwIfAborted();
        vectors.push(await this.#one(text));
      } finally {
        turn.end();
      }
    }
    return vectors;
  }

  countTokens(texts: readonly string[]): number[] {
    return texts.map((text) => (text === "" ? 0 : this.#tokenizer(text, false).length));
  }

  /** One at a time: queries and background work share the one sequence. */
  #one(text: string): Promise<Float32Array> {
    const next = this.#tail.then(() => this.#evaluate(text));
    this.#tail = next.catch(() => {});
    return next;
  }

  async #evaluate(text: string): Promise<Float32Array> {
    const { maxTokens, dimensions } = this.description;
    // A text without any token still gets a vector, that of the empty text's frame.
    const tokens: Token[] = this.#tokenizer(cutLetters(text, maxTokens * lettersPerToken) || " ", false).slice(
      0,
      maxTokens,
    );
    const input = tokens.length > 0 ? tokens : this.#tokenizer(".", false);
    const { vector } = await this.#context.getEmbeddingFor(input);
    const unit = new Float32Array(dimensions);
    let sum = 0;
    for (const value of vector) sum += value * value;
    const length = Math.sqrt(sum);
    if (length > 0) for (let i = 0; i < dimensions; i++) unit[i] = vector[i]! / length;
    return unit;
  }
}

function cutLetters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
