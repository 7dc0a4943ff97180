/** From tokens to what the user sees: whole characters, no control tokens, stops and calls noticed, reasoning apart, loops ended. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { StreamChunk } from "../types.ts";
import { MarkerWatch } from "./markers.ts";
import { isReasoningMarker, ReasoningSplitter } from "./reasoning.ts";
import { cutLoop, SentenceLoop, TokenLoop } from "./repetition.ts";
import { TokenText } from "./tokens.ts";

/** Control texts by which a model starts to play the next speaker. */
const turnStarts = ["<|im_start|>", "<start_of_turn>", "<|start_header_id|>", "<|user|>", "<|system|>", "<|turn>"];

export interface StreamOptions {
  readonly model: LlamaModel;
  readonly stops: readonly string[];
  readonly callOpenings: readonly string[];
  readonly startsInReasoning: boolean;
  readonly onChunk: (chunk: StreamChunk) => void;
}

export type StreamEvent = "go" | "stop-text" | "turn-end" | "call" | "repetition";

export class OutputStream {
  readonly #options: StreamOptions;
  readonly #spell: TokenText;
  readonly #watch: MarkerWatch;
  readonly #splitter: ReasoningSplitter;
  readonly #tokenLoop = new TokenLoop();
  readonly #sentenceLoop = new SentenceLoop();
  readonly #turnEnds: ReadonlySet<string>;
  readonly #openings: ReadonlySet<string>;
  /** Length of the spelled text after each token, to find the token at which a call began. */
  readonly #ends: number[] = [];
  #spelled = 0;
  #passed = 0;
  #tail = "";
  #repeats = false;
  answer = "";
  reasoning = "";
  /** After a `call`: tokens that come before it, and text between the last of them and the call's opening. */
  callAt: { tokens: number; textBefore: string } | null = null;

  /** `turnEnds` are the template's own ends, `stops` the request's. */
  constructor(options: StreamOptions, turnEnds: readonly string[]) {
    this.#options = options;
    this.#spell = new TokenText((tokens, before) => options.model.detokenize(tokens, true, before));
    this.#turnEnds = new Set([...turnEnds, ...turnStarts]);
    this.#openings = new Set(options.callOpenings);
    this.#watch = new MarkerWatch([...this.#turnEnds, ...options.stops, ...options.callOpenings]);
    this.#splitter = new ReasoningSplitter(options.startsInReasoning ? "reasoning" : "answer");
  }

  push(token: Token): StreamEvent {
    const looping = this.#tokenLoop.add(token);
    const spelled = this.#spell.push(token);
    const text = spelled !== "" && this.#options.model.isSpecialToken(token) && !this.#known(spelled) ? "" : spelled;
    this.#spelled += text.length;
    this.#ends.push(this.#spelled);
    const event = this.#take(text);
    if (event !== "go") return event;
    if (looping || this.#repeats) {
      this.#repeats = true;
      return "repetition";
    }
    return "go";
  }

  /** A call follows: what was held back before it is text. */
  endAtCall(): void {
    this.#give(this.#splitter.end());
  }

  /** Ends the stream and gives out what was held back. The visible text of a loop is cut to its first instance. */
  end(): void {
    const last = this.#watch.feed(this.#spell.end());
    this.#give(this.#splitter.feed(last.text));
    if (last.marker === null) this.#give(this.#splitter.feed(this.#watch.end().text));
    this.#give(this.#splitter.end());
    if (this.#repeats) {
      const start = this.#sentenceLoop.loopStart;
      this.answer = (
        start !== null && start < this.answer.length ? this.answer.slice(0, start) : cutLoop(this.answer)
      ).trimEnd();
    }
  }

  #known(text: string): boolean {
    const bare = text.trim();
    return (
      isReasoningMarker(bare) ||
      this.#turnEnds.has(bare) ||
      [...this.#openings].some((opening) => opening.includes(bare) || bare.includes(opening))
    );
  }

  #take(text: string): StreamEvent {
    let next = text;
    for (;;) {
      const found = this.#watch.feed(next);
      this.#pass(found.text);
      this.#give(this.#splitter.feed(found.text));
      if (found.marker === null) return "go";
      if (this.#turnEnds.has(found.marker)) return "turn-end";
      if (!this.#openings.has(found.marker)) return "stop-text";
      if (this.#splitter.channel === "answer") {
        const tokens = this.#ends.findIndex((end) => end > this.#passed);
        const before = tokens <= 0 ? 0 : this.#ends[tokens - 1]!;
        const within = this.#passed - before;
        this.callAt = { tokens: Math.max(0, tokens), textBefore: within > 0 ? this.#tail.slice(-within) : "" };
        return "call";
      }
      // Reasoning about calls makes none.
      this.#pass(found.marker);
      this.#give(this.#splitter.feed(found.marker));
      next = found.rest;
    }
  }

  #pass(text: string): void {
    this.#passed += text.length;
    this.#tail = (this.#tail + text).slice(-512);
  }

  #give(chunks: readonly StreamChunk[]): void {
    for (const chunk of chunks) {
      if (chunk.channel === "answer") {
        this.answer += chunk.text;
        if (this.#sentenceLoop.add(chunk.text)) this.#repeats = true;
      } else this.reasoning += chunk.text;
      this.#options.onChunk(chunk);
    }
  }
}
