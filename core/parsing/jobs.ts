import type { Extracted, Passage, Section } from "./types.ts";

/** One file to read, by path or as bytes. */
export interface ExtractParams {
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** File name, for what the bytes leave open. Defaults to the path's last part. */
  readonly name?: string;
  readonly password?: string;
  readonly declaredCharset?: string;
  /** Key of the passage ids; the content hash when left out. */
  readonly passageKey?: string;
  readonly maxPassageTokens?: number;
  /** Stop with `unchanged` when the bytes have this hash. */
  readonly knownHash?: string;
}

/** What remains after the pieces: everything small. */
export type ExtractResult = Omit<Extracted, "text" | "sections"> & {
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly textLength: number;
  readonly passageCount: number;
  readonly unchanged: boolean;
};

/** Large results travel in pieces, so that no message holds the main process up. */
export type ExtractPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "sections"; readonly sections: readonly Section[] }
  | { readonly type: "passages"; readonly passages: readonly Passage[] };

/** Article text of a web page, as a reader view would show it. */
export interface ReadableParams {
  readonly html: string | Uint8Array;
  readonly url?: string;
  readonly declaredCharset?: string;
}

export interface ReadableResult {
  readonly title: string | null;
  readonly byline: string | null;
  readonly siteName: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly excerpt: string | null;
  /** Paragraphs, lists and tables as plain text. */
  readonly text: string;
  /** False when no article could be told from the rest and `text` is the whole page. */
  readonly isArticle: boolean;
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/**
 * The kinds of work that the parser process does. A feature adds its kind here and its function in
 * `process/jobs.ts`; parameters and results are structured-cloneable.
 */
export interface JobKinds {
  "document.extract": { params: ExtractParams; result: ExtractResult; piece: ExtractPiece };
  "html.readable": { params: ReadableParams; result: ReadableResult; piece: never };
  "file.hash": {
    params: { readonly path: string };
    result: { readonly hash: string; readonly bytes: number };
    piece: never;
  };
}
export type JobKind = keyof JobKinds;
