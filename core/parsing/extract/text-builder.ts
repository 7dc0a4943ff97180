import type { Section, SectionKind } from "../types.ts";

/** Collects text and the ranges of its sections. A section runs until the next one of the same or a higher level. */
export class TextBuilder {
  readonly #parts: string[] = [];
  readonly #sections: {
    kind: SectionKind;
    number: number | null;
    title: string | null;
    level: number;
    start: number;
    end: number;
  }[] = [];
  readonly #maxChars: number;
  #length = 0;
  #tail = "";
  full = false;

  constructor(maxChars = Number.POSITIVE_INFINITY) {
    this.#maxChars = maxChars;
  }

  get length(): number {
    return this.#length;
  }

  add(text: string): this {
    if (text === "" || this.full) return this;
    let piece = text;
    if (this.#length + piece.length > this.#maxChars) {
      piece = piece.slice(0, this.#maxChars - this.#length);
      this.full = true;
    }
    this.#parts.push(piece);
    this.#length += piece.length;
    this.#tail = (this.#tail + piece).slice(-2);
    return this;
  }

  /** Ends the line, if one is open. */
  newLine(): this {
    if (this.#length > 0 && !this.#tail.endsWith("\n")) this.add("\n");
    return this;
  }

  /** Leaves exactly one empty line before what follows (none at the very start). */
  newParagraph(): this {
    if (this.#length === 0) return this;
    this.newLine();
    if (!this.#tail.endsWith("\n\n")) this.add("\n");
    return this;
  }

  /** Starts a section here; it closes those of the same or a deeper level. */
  open(kind: SectionKind, title: string | null, level = 1, number: number | null = null): this {
    this.#closeFrom(level);
    this.#sections.push({ kind, number, title, level, start: this.#length, end: -1 });
    return this;
  }

  #closeFrom(level: number): void {
    for (const section of this.#sections) if (section.end < 0 && section.level >= level) section.end = this.#length;
  }

  /** Closes every open section here, before text that belongs to none. */
  closeAll(): this {
    this.#closeFrom(0);
    return this;
  }

  /** The text without trailing blank lines; sections lose blank edges but keep at least their place. */
  finish(): { text: string; sections: Section[] } {
    this.#closeFrom(0);
    const text = this.#parts.join("").replace(/\s+$/, "");
    const sections = this.#sections.map((section) => {
      let start = Math.min(section.start, text.length);
      let end = Math.min(section.end, text.length);
      while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
      while (start < end && isBlank(text.charCodeAt(start))) start++;
      return { ...section, start, end };
    });
    return { text, sections };
  }
}

function isBlank(code: number): boolean {
  return code === 10 || code === 13 || code === 32 || code === 9;
}
