import type { Embedder } from "../../../core/models/types.ts";

/** An embedder that needs no model: each word adds a fixed direction, so texts that share words lie close. */
export class HashEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens = 256;
  texts = 0;
  readonly lengths: number[] = [];
  /** When set, every call fails with it. */
  failure: Error | null = null;

  constructor(id = "hash-64", dimensions = 64) {
    this.id = id;
    this.dimensions = dimensions;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.failure) throw this.failure;
    this.texts += texts.length;
    return texts.map((text) => {
      this.lengths.push(text.length);
      return this.#vector(text);
    });
  }

  async countTokens(texts: readonly string[]): Promise<number[]> {
    return texts.map((text) => text.split(/\s+/).length);
  }

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      let hash = 2166136261;
      for (const character of word) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
      for (let i = 0; i < this.dimensions; i++) {
        hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + 374761393;
        vector[i]! += ((hash >>> 8) & 0xffff) / 0xffff - 0.5;
      }
    }
    let norm = 0;
    for (const value of vector) norm += value * value;
    norm = Math.sqrt(norm) || 1;
    for (let i = 0; i < vector.length; i++) vector[i]! /= norm;
    if (vector.every((value) => value === 0)) vector[0] = 1;
    return vector;
  }
}
