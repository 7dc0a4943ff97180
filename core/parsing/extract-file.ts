import type { Parser, RunOptions } from "./client.ts";
import type { ExtractParams, ExtractPiece, ExtractResult } from "./jobs.ts";
import type { Passage, Section } from "./types.ts";

export interface ExtractedFile extends ExtractResult {
  readonly text: string;
  readonly sections: readonly Section[];
  readonly passages: readonly Passage[];
}

/** Extracts one file and puts its pieces together again, for callers that want the whole. */
export async function extractFile(
  parser: Parser,
  params: ExtractParams,
  options: Omit<RunOptions<"document.extract">, "onPiece" | "onRestart"> = {},
): Promise<ExtractedFile> {
  let parts: string[] = [];
  let sections: Section[] = [];
  let passages: Passage[] = [];
  const result = await parser.run("document.extract", params, {
    ...options,
    onPiece(piece: ExtractPiece) {
      if (piece.type === "text") parts.push(piece.text);
      else if (piece.type === "sections") sections.push(...piece.sections);
      else passages.push(...piece.passages);
    },
    onRestart() {
      parts = [];
      sections = [];
      passages = [];
    },
  });
  return { ...result, text: parts.join(""), sections, passages };
}
