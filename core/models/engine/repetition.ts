/**
 * Notices that a model has begun to repeat itself for ever: a stretch of tokens that comes again and again, or sentences
 * that return. Tables, code and lists repeat a little by nature, so only long or frequent repetition counts.
 */

/** Token loops: the tail is one period repeated. Checked in O(longest period) per token by counting matches per period. */
export class TokenLoop {
  readonly #tokens: number[] = [];
  /** For each period, how many of the last tokens equal the one a period before. */
  readonly #matches: Uint32Array;
  readonly #longest: number;

  constructor(longestPeriod = 96) {
    this.#longest = longestPeriod;
    this.#matches = new Uint32Array(longestPeriod + 1);
  }

  /** Adds a token; true when the text is caught in a loop. */
  add(token: number): boolean {
    const n = this.#tokens.length;
    this.#tokens.push(token);
    for (let period = 1; period <= this.#longest && period <= n; period++) {
      this.#matches[period] = this.#tokens[n - period] === token ? this.#matches[period]! + 1 : 0;
    }
    for (let period = 1; period <= this.#longest && period <= n; period++) {
      if (this.#matches[period]! >= repeatsAllowed(period)) return true;
    }
    return false;
  }
}

/** How many matching tokens make a loop: short periods (rows of dashes, zeros) may run on longer, in repeats. */
function repeatsAllowed(period: number): number {
  if (period <= 2) return 128;
  if (period <= 8) return 96;
  return Math.max(96, period * 4);
}

const sentenceEnd = /[.!?。！？…]["'”’)\]]*\s|[。！？]|\n/;

/** Sentence loops: one sentence (numbers and spacing aside) that has come too often. */
export class SentenceLoop {
  #rest = "";
  readonly #seen = new Map<string, number>();
  #last = "";
  #inRow = 0;
  #position = 0;
  #fenced = false;
  /** Where in the text the repetition began, once found. */
  loopStart: number | null = null;
  readonly #firstRepeat = new Map<string, number>();

  /** Adds text; true when a sentence came for the third time in a row or for the fifth time in all. */
  add(text: string): boolean {
    this.#rest += text;
    for (;;) {
      const match = sentenceEnd.exec(this.#rest);
      if (!match) return this.#rest.length > 4000 ? this.#flushLong() : false;
      const end = match.index + match[0].length;
      const found = this.#sentence(this.#rest.slice(0, end));
      this.#position += end;
      this.#rest = this.#rest.slice(end);
      if (found) return true;
    }
  }

  #flushLong(): boolean {
    this.#position += this.#rest.length;
    this.#rest = "";
    return false;
  }

  #sentence(raw: string): boolean {
    if (raw.trimStart().startsWith("```")) this.#fenced = !this.#fenced;
    // Lines of code repeat rightly (closing brackets, table borders); token loops still catch code that never ends.
    if (this.#fenced) return false;
    const key = raw
      .toLowerCase()
      .replace(/\d+/g, "0")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (key.length < 12) return false;
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    if (count === 2) this.#firstRepeat.set(key, this.#position);
    this.#inRow = key === this.#last ? this.#inRow + 1 : 1;
    this.#last = key;
    const long = key.length >= 24;
    if ((long && this.#inRow >= 3) || this.#inRow >= 5 || (long && count >= 5)) {
      this.loopStart = this.#firstRepeat.get(key) ?? this.#position;
      return true;
    }
    return false;
  }
}

/** Cuts what a token loop left at the end of a text down to its first instance. */
export function cutLoop(text: string): string {
  const n = text.length;
  for (let period = 1; period <= Math.min(600, n / 2); period++) {
    let matched = 0;
    while (matched + period < n && text[n - 1 - matched] === text[n - 1 - matched - period]) matched++;
    if (matched >= Math.max(period * 2, 24)) return text.slice(0, n - matched);
  }
  return text;
}
