/**
 * One sequence of a context with what was evaluated in it. A prompt is brought in by keeping the longest evaluated prefix and
 * reading the rest in pieces short enough to be interrupted.
 */
import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { alignToCache, commonPrefix } from "./align.ts";
import { Queue, type Turn } from "./gate.ts";

/**
 * A piece should take about this long. Each piece reads all weights from memory once more, so short ones cost speed (about 3 %
 * at this length with the starter on two cores), and long ones make a stop wait.
 */
const pieceMs = 250;
const pieceLimits = { least: 32, most: 512 };

export interface Prepared {
  /** The prompt as it stands in the sequence: spelled like what was asked for, perhaps cut into other tokens. */
  readonly tokens: Token[];
  readonly cachedTokens: number;
}

export class Slot {
  readonly sequence: LlamaContextSequence;
  readonly queue = new Queue();
  /** Whose prompt was evaluated last. */
  key: string | null = null;
  /** A counter that moves whenever the evaluated tokens change. */
  revision = 0;
  savedRevision = -1;
  lastUse = 0;
  readonly #model: LlamaModel;
  #msPerToken = 2;

  constructor(sequence: LlamaContextSequence, model: LlamaModel) {
    this.sequence = sequence;
    this.#model = model;
  }

  get evaluated(): readonly Token[] {
    return this.sequence.contextTokens;
  }

  /** `wanted` with the evaluated tokens kept wherever they spell the same. */
  align(wanted: readonly Token[]): Token[] {
    const spell = (tokens: readonly number[]): string => this.#model.detokenize(tokens as Token[], true);
    const fixed = (token: number): boolean => this.#model.isSpecialToken(token as Token);
    return alignToCache(this.evaluated, wanted, spell, fixed) as Token[];
  }

  /** Tokens that can still be written after a prepared prompt. */
  roomAfter(prompt: readonly Token[]): number {
    return this.sequence.contextSize - 1 - prompt.length;
  }

  /** Tokens of `wanted` that need no evaluation now. */
  reusable(wanted: readonly Token[]): number {
    return commonPrefix(this.evaluated, this.align(wanted));
  }

  /**
   * Evaluates all of `wanted` but the last `leave` tokens. Throws the signal's reason when aborted; what was evaluated by
   * then stays and is used again.
   */
  async prepare(wanted: readonly Token[], leave: 0 | 1, signal: AbortSignal, turn: Turn): Promise<Prepared> {
    const aligned = this.align(wanted);
    // The model's own cut of a text may take more tokens than the shortest one; near a full window that matters.
    const tokens = this.roomAfter(aligned) > 0 ? aligned : [...wanted];
    const end = tokens.length - leave;
    this.revision++;
    let at = Math.min(commonPrefix(this.evaluated, tokens), end);
    if (at < this.sequence.nextTokenIndex)
      await this.sequence.eraseContextTokenRanges([{ start: at, end: this.sequence.nextTokenIndex }]);
    // A model that cannot forget its tail alone (recurrent ones) may have fallen back further.
    at = Math.min(at, this.sequence.nextTokenIndex);
    const cachedTokens = at;
    while (at < end) {
      const waiting = turn.step(signal);
      if (waiting) await waiting;
      signal.throwIfAborted();
      const length = Math.min(end - at, this.#pieceLength());
      const started = performance.now();
      await this.sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + length));
      if (length >= 16) this.#msPerToken = 0.5 * this.#msPerToken + 0.5 * ((performance.now() - started) / length);
      at += length;
    }
    if (cachedTokens < end && this.sequence.needsCheckpoints) await this.sequence.takeCheckpoint();
    return { tokens, cachedTokens };
  }

  #pieceLength(): number {
    const length = Math.round(pieceMs / Math.max(0.01, this.#msPerToken) / 16) * 16;
    return Math.min(pieceLimits.most, Math.max(pieceLimits.least, length));
  }

  async clear(): Promise<void> {
    this.key = null;
    this.revision++;
    await this.sequence.clearHistory();
  }
}
