/**
 * Reads files from strangers in processes of their own, under caps of time and memory. Gives text, the ranges of its
 * pages or sections, and passages; a file that cannot be read gives a typed error and harms nothing else.
 */
export { type ChunkOptions, chunk, tokenEstimateFor } from "./chunk/index.ts";
export { createParser, type Parser, type ParserDeps, type RunOptions } from "./client.ts";
export { type ExtractedFile, extractFile } from "./extract-file.ts";
export { writeOpml } from "./feed/opml.ts";
export type * from "./feed/types.ts";
export type {
  ExtractParams,
  ExtractPiece,
  ExtractResult,
  FeedArticle,
  FeedSource,
  JobKind,
  JobKinds,
  ReadableParams,
  ReadableResult,
} from "./jobs.ts";
export { installedLanguages } from "./ocr-languages.ts";
export type { Extracted, Passage, Section, SectionKind, Warning } from "./types.ts";
