/** Between text and tokens, with care for half characters and for texts too long for the tokenizer's recursion. */
import type { LlamaModel, Token, Tokenizer } from "node-llama-cpp";

/** Longer plain texts are tokenized in pieces cut at blanks: some tokenizers recurse once per character. */
const longestPiece = 16_384;

/** The model's tokenizer, safe for texts of any length. */
export function safeTokenizer(model: LlamaModel): Tokenizer {
  const original = model.tokenizer;
  const tokenize = (text: string, special?: boolean | "builtin", options?: "trimLeadingSpace"): Token[] => {
    if (special === "builtin") return original(text as "BOS", "builtin");
    if (text.length <= longestPiece) return original(text, special, options);
    return pieces(text, longestPiece).flatMap((piece, index) =>
      original(piece, special, index === 0 ? options : "trimLeadingSpace"),
    );
  };
  return Object.assign(tokenize as Tokenizer, {
    detokenize: original.detokenize,
    isSpecialToken: original.isSpecialToken,
    isEogToken: original.isEogToken,
  });
}

/** Cuts a text into pieces of at most `length` that join to the whole: before a blank where there is one, never inside a character. */
export function pieces(text: string, length: number): string[] {
  const out: string[] = [];
  let at = 0;
  while (text.length - at > length) {
    let end = at + length;
    const blank = Math.max(text.lastIndexOf(" ", end), text.lastIndexOf("\n", end));
    if (blank > at + length / 2) end = blank;
    else if (isLowSurrogate(text.charCodeAt(end))) end--;
    out.push(text.slice(at, end));
    at = end;
  }
  out.push(text.slice(at));
  return out;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Spells a stream of tokens as text that never ends inside a character. */
export class TokenText {
  readonly #spell: (tokens: readonly Token[], before: readonly Token[]) => string;
  #pending: Token[] = [];
  readonly #before: Token[] = [];

  constructor(spell: (tokens: readonly Token[], before: readonly Token[]) => string) {
    this.#spell = spell;
  }

  /** The text that is whole by now; empty while a character is half written. */
  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#spell(this.#pending, this.#before);
    // A character of UTF-8 has at most four bytes, and a token at least one: after a few the sign is the model's own.
    if (text.endsWith("\ufffd") && this.#pending.length < 6) return "";
    return this.#take(text);
  }

  end(): string {
    return this.#pending.length === 0 ? "" : this.#take(this.#spell(this.#pending, this.#before));
  }

  #take(text: string): string {
    this.#before.push(...this.#pending);
    if (this.#before.length > 16) this.#before.splice(0, this.#before.length - 16);
    this.#pending = [];
    return text;
  }
}
