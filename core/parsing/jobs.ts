import type { DiscoveredFeed, OpmlFeed, ParsedFeed } from "./feed/types.ts";
import type { Extracted, Passage, Section } from "./types.ts";

/** One file to read, by path or as bytes. */
export interface ExtractParams {
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** File name, for what the bytes leave open. Defaults to the path's last part. */
  readonly name?: string;
  readonly password?: string;
  readonly declaredCharset?: string;
  /** Read pages that are pictures with the language data in this folder. */
  readonly ocr?: { readonly folder: string; readonly languages?: readonly string[] };
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
  /** The article's own markup, hostile as it came: sanitise before showing. Null when no article stood out. */
  readonly html: string | null;
  /** False when no article could be told from the rest and `text` is the whole page. */
  readonly isArticle: boolean;
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/** Bytes that came from the network or from a file, and what is known of them. */
export interface FeedSource {
  readonly bytes: Uint8Array;
  /** Where they came from, to make links absolute. */
  readonly url: string | null;
  /** The `Content-Type` they came with. */
  readonly contentType: string | null;
}

/** The readable part of a page, sanitised. */
export interface FeedArticle {
  readonly html: string;
  readonly text: string;
}

/** One page of a PDF as a picture. */
export interface PdfPageParams {
  readonly path: string;
  /** From 1. */
  readonly page: number;
  /** Pixels. */
  readonly width: number;
  /** Text whose place on the page is wanted, as it was extracted. */
  readonly mark?: string;
  readonly password?: string;
}

export interface PdfPageResult {
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly png: Uint8Array;
  /** Left, top, width, height as shares of the page. */
  readonly marks: readonly (readonly [number, number, number, number])[];
}

/**
 * The kinds of work that the parser process does. A feature adds its kind here and its function in
 * `process/jobs.ts`; parameters and results are structured-cloneable.
 */
export interface JobKinds {
  "document.extract": { params: ExtractParams; result: ExtractResult; piece: ExtractPiece };
  "html.readable": { params: ReadableParams; result: ReadableResult; piece: never };
  "pdf.page": { params: PdfPageParams; result: PdfPageResult; piece: never };
  "feed.parse": { params: FeedSource; result: ParsedFeed; piece: never };
  "feed.discover": { params: FeedSource; result: readonly DiscoveredFeed[]; piece: never };
  "feed.article": { params: FeedSource; result: FeedArticle | null; piece: never };
  "feed.opml": { params: { readonly bytes: Uint8Array }; result: readonly OpmlFeed[]; piece: never };
  "file.hash": {
    params: { readonly path: string };
    result: { readonly hash: string; readonly bytes: number };
    piece: never;
  };
}
export type JobKind = keyof JobKinds;
