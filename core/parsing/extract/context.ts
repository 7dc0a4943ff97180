import type { Warning } from "../types.ts";

/** Caps that hold whatever a file claims about itself. Sizes are bytes unless named otherwise. */
export interface Limits {
  readonly maxFileBytes: number;
  /** What all entries of one archive may unpack to together. */
  readonly maxUnpackedBytes: number;
  /** An entry that unpacks to more than this multiple of its packed size, and to over 10 MB, is a bomb. */
  readonly maxRatio: number;
  readonly maxEntries: number;
  /** Archives inside archives. */
  readonly maxDepth: number;
  readonly maxTextChars: number;
}

export const defaultLimits: Limits = {
  maxFileBytes: 1024 * 1024 * 1024,
  maxUnpackedBytes: 768 * 1024 * 1024,
  maxRatio: 250,
  maxEntries: 20_000,
  maxDepth: 3,
  maxTextChars: 20_000_000,
};

/** What an extractor gets besides the bytes. */
export interface ExtractContext {
  readonly name: string;
  readonly password: string | null;
  /** Declared by the sender (HTTP header, MIME part); a guess to check, not a fact. */
  readonly declaredCharset: string | null;
  /** Where to find language data for pages that are pictures; they are left unread without. */
  readonly ocr?: { readonly folder: string; readonly languages?: readonly string[] };
  readonly limits: Limits;
  readonly depth: number;
  /** True once the job's time is nearly spent: stop at the next good place and keep what is there. */
  expired(): boolean;
  progress(done: number, total: number, unit: string): void;
  warn(warning: Warning): void;
}
