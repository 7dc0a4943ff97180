/** What the parser makes of a file. Positions are UTF-16 offsets into `text`, ends exclusive. */
export type SectionKind = "page" | "slide" | "sheet" | "section" | "chapter" | "message" | "cell" | "cue" | "file";

export interface Section {
  readonly kind: SectionKind;
  /** From 1, counted per kind as a reader would: page 14, slide 3. Null where counting says nothing. */
  readonly number: number | null;
  readonly title: string | null;
  /** Depth in the outline, from 1. */
  readonly level: number;
  readonly start: number;
  readonly end: number;
  /** Of sheets: the row number of each line of the section, for places like "rows 40–61". */
  readonly rows?: readonly number[];
}

export interface Warning {
  readonly kind:
    | "no-text-layer"
    | "some-pages-without-text"
    | "damaged"
    | "cut-short"
    | "skipped-part"
    | "charset-guessed"
    | "encrypted-parts"
    | "empty";
  /** A sentence for the user. */
  readonly message: string;
}

export interface Extracted {
  /** Short name of the format found in the bytes: "pdf", "docx", "markdown". */
  readonly format: string;
  readonly text: string;
  readonly sections: readonly Section[];
  readonly title: string | null;
  /** ISO 639-1 where the text is long enough to tell. */
  readonly language: string | null;
  readonly warnings: readonly Warning[];
  /** Author, dates, page count, running heads that were left out, and the like. */
  readonly metadata: Readonly<Record<string, string | number | readonly string[]>>;
}

/** A stretch of the text small enough for the embedder: `text.slice(start, end)`, stable id, place in words. */
export interface Passage {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** "p. 14", "Nights, rows 40–61", "§ 2 Timing". */
  readonly place: string;
  /** Page or slide number where the format has them. */
  readonly page: number | null;
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** How much it looks like a finding, 0 and up: only ranks what is weighed as evidence first. */
  readonly worth: number;
}
