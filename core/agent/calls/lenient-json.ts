/**
 * JSON as small models write it: single quotes, Python's literals, bare keys, trailing commas, line breaks in strings.
 * Reads one value and says where it ended and whether it was whole.
 */
export interface Parsed {
  readonly value: unknown;
  /** Index behind the value. */
  readonly end: number;
  /** False when the text ended inside the value: brackets were closed for it. */
  readonly whole: boolean;
}

const MAX_DEPTH = 64;

class NotJson extends Error {}

/** Reads the value that starts at `start`; null when what stands there is no value. */
export function parseLenient(text: string, start: number): Parsed | null {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    return { value, end: reader.at, whole: reader.whole };
  } catch (thrown) {
    if (thrown instanceof NotJson) return null;
    throw thrown;
  }
}

class Reader {
  readonly #text: string;
  at: number;
  whole = true;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotJson();
    this.#space();
    const sign = this.#text[this.at];
    if (sign === undefined) {
      this.whole = false;
      return null;
    }
    if (sign === "{") return this.#object(depth);
    if (sign === "[") return this.#array(depth);
    if (sign === '"' || sign === "'") return this.#string(sign);
    return this.#word();
  }

  #object(depth: number): Record<string, unknown> {
    this.at++;
    const entries: [string, unknown][] = [];
    for (;;) {
      this.#space();
      const sign = this.#text[this.at];
      if (sign === undefined) {
        this.whole = false;
        break;
      }
      if (sign === "}") {
        this.at++;
        break;
      }
      if (sign === ",") {
        this.at++;
        continue;
      }
      const key = this.#key(sign);
      this.#space();
      if (this.#text[this.at] === undefined) {
        this.whole = false;
        break;
      }
      if (this.#text[this.at] !== ":") throw new NotJson();
      this.at++;
      entries.push([key, this.value(depth + 1)]);
      this.#separator("}");
    }
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    this.at++;
    const items: unknown[] = [];
    for (;;) {
      this.#space();
      const sign = this.#text[this.at];
      if (sign === undefined) {
        this.whole = false;
        return items;
      }
      if (sign === "]") {
        this.at++;
        return items;
      }
      if (sign === ",") {
        this.at++;
        continue;
      }
      items.push(this.value(depth + 1));
      this.#separator("]");
    }
  }

  /** After an item only a comma or the closing bracket may follow. */
  #separator(close: string): void {
    this.#space();
    const sign = this.#text[this.at];
    if (sign !== undefined && sign !== "," && sign !== close) throw new NotJson();
  }

  #key(sign: string): string {
    if (sign === '"' || sign === "'") return this.#string(sign);
    const bare = /^[A-Za-z_$][\w$-]*/.exec(this.#text.slice(this.at, this.at + 80));
    if (!bare) throw new NotJson();
    this.at += bare[0].length;
    return bare[0];
  }

  #string(quote: string): string {
    this.at++;
    let out = "";
    for (;;) {
      const sign = this.#text[this.at];
      if (sign === undefined) {
        this.whole = false;
        return out;
      }
      this.at++;
      if (sign === quote) return out;
      if (sign === "\\") out += this.#escape();
      else out += sign;
    }
  }

  #escape(): string {
    const sign = this.#text[this.at];
    if (sign === undefined) {
      this.whole = false;
      return "";
    }
    this.at++;
    if (sign === "u") {
      const code = this.#text.slice(this.at, this.at + 4);
      if (/^[0-9a-fA-F]{4}$/.test(code)) {
        this.at += 4;
        return String.fromCharCode(Number.parseInt(code, 16));
      }
      return "u";
    }
    return { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }[sign] ?? sign;
  }

  #word(): unknown {
    const word = /^[-+]?[\w.+-]+/.exec(this.#text.slice(this.at, this.at + 64))?.[0];
    if (!word) throw new NotJson();
    const behind = this.at + word.length;
    if (behind >= this.#text.length) this.whole = false;
    const known: Readonly<Record<string, unknown>> = {
      true: true,
      True: true,
      false: false,
      False: false,
      null: null,
      None: null,
    };
    this.at = behind;
    if (Object.hasOwn(known, word)) return known[word];
    if (/^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word)) return Number(word);
    // A literal cut short by the end of the text ("tru") is not wrong, only unfinished.
    if (!this.whole) return null;
    throw new NotJson();
  }

  #space(): void {
    while (/\s/.test(this.#text[this.at] ?? "x")) this.at++;
  }
}
