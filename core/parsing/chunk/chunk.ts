import { contentId } from "../../platform/index.ts";
import type { Extracted, Passage, Section } from "../types.ts";
import { cutPoints, type Piece } from "./pieces.ts";
import { placeOf } from "./place.ts";
import { type TokenEstimate, tokenEstimateFor } from "./tokens.ts";
import { evidenceWorth } from "./worth.ts";

export interface ChunkOptions {
  /** Goes into every passage's id: the same key and text give the same ids on every machine. */
  readonly key: string;
  /** Estimated word pieces of one passage; the estimate errs on the high side, so 215 stays within the embedder's 256. */
  readonly maxTokens?: number;
  /** Replaces the estimate, for example by the embedder's own count. */
  readonly countTokens?: TokenEstimate;
}

/** Passages of kinds that are short by nature are put together until they are worth finding. */
const mergeable = new Set<Section["kind"]>(["cue", "section", "cell"]);
const tiny = 24;

interface Leaf {
  readonly start: number;
  readonly end: number;
  readonly section: Section | null;
  readonly path: readonly string[];
}

/**
 * Cuts extracted text into passages along its structure: never across pages, slides, sheets or messages, and within
 * them at paragraphs, then lines, then sentences, then words. Every character that is not blank is in exactly one.
 */
export function chunk(extracted: Pick<Extracted, "text" | "sections">, options: ChunkOptions): Passage[] {
  const { text, sections } = extracted;
  const maxTokens = options.maxTokens ?? 215;
  const passages: Passage[] = [];
  const seen = new Map<string, number>();
  const sample = text.slice(0, 6000) + text.slice(text.length >> 1, (text.length >> 1) + 6000);
  const whole = options.countTokens ?? tokenEstimateFor(sample);
  const lines = new LineCounter(text);
  for (const leaf of mergeSmall(text, leavesOf(text, sections), whole, maxTokens)) {
    const count = options.countTokens ?? estimateOf(text, leaf, whole);
    for (const range of pack(text, leaf, count, maxTokens)) {
      const content = text.slice(range.start, range.end);
      const occurrence = seen.get(content) ?? 0;
      seen.set(content, occurrence + 1);
      passages.push({
        id: contentId("ps", options.key, content, String(occurrence)),
        start: range.start,
        end: range.end,
        place: placeOf(leaf.section, leaf.path, range, text, lines),
        page: pageOf(leaf.section),
        path: leaf.path,
        worth: Math.round(evidenceWorth(content) * 100) / 100,
      });
    }
  }
  return passages;
}

/** Long leaves get an estimate of their own: one document may hold several languages. */
function estimateOf(text: string, leaf: Leaf, whole: TokenEstimate): TokenEstimate {
  return leaf.end - leaf.start > 600
    ? tokenEstimateFor(text.slice(leaf.start, Math.min(leaf.end, leaf.start + 6000)))
    : whole;
}

function pageOf(section: Section | null): number | null {
  return section && (section.kind === "page" || section.kind === "slide") ? section.number : null;
}

/** The stretches between section edges, each with the deepest section it lies in and the titles above it. */
function leavesOf(text: string, sections: readonly Section[]): Leaf[] {
  const leaves: Leaf[] = [];
  const open: Section[] = [];
  let at = 0;
  const add = (end: number) => {
    if (end <= at) return;
    const section = open.at(-1) ?? null;
    const path = open.map((entry) => entry.title).filter((title): title is string => title !== null && title !== "");
    // Between sections lies nothing but line ends.
    if (/\S/.test(text.slice(at, Math.min(end, at + 4096))) || end - at > 4096)
      leaves.push({ start: at, end, section, path });
    at = end;
  };
  for (const section of [...sections].sort((a, b) => a.start - b.start || a.level - b.level)) {
    while (open.length > 0 && (open.at(-1)!.end <= section.start || open.at(-1)!.level >= section.level)) {
      add(Math.min(open.at(-1)!.end, section.start));
      open.pop();
    }
    add(section.start);
    open.push(section);
  }
  while (open.length > 0) {
    add(open.at(-1)!.end);
    open.pop();
  }
  add(text.length);
  return leaves;
}

/** Joins neighbours of one kind that together fit one passage: cues and cells always, sections when one of them is tiny. */
function mergeSmall(text: string, leaves: readonly Leaf[], count: TokenEstimate, maxTokens: number): Leaf[] {
  const merged: Leaf[] = [];
  let size = 0;
  for (const leaf of leaves) {
    const tokens = leaf.end - leaf.start > maxTokens * 12 ? maxTokens + 1 : count(text.slice(leaf.start, leaf.end));
    const before = merged.at(-1);
    const kind = leaf.section?.kind;
    const alike = before?.section && kind !== undefined && before.section.kind === kind && mergeable.has(kind);
    const related =
      kind !== "section" ||
      (size <= tiny && leaf.section!.level > (before?.section?.level ?? Number.POSITIVE_INFINITY));
    if (alike && related && size + tokens <= maxTokens) {
      merged[merged.length - 1] = { ...before!, end: leaf.end, path: kind === "section" ? leaf.path : before!.path };
      size += tokens;
    } else {
      merged.push(leaf);
      size = tokens;
    }
  }
  return merged;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Fills passages with whole pieces; a piece too large for one is cut at the next finer kind of edge. */
function pack(text: string, leaf: Leaf, count: TokenEstimate, maxTokens: number): Range[] {
  const ranges: Range[] = [];
  let start = -1;
  let end = -1;
  let tokens = 0;
  let lastGrain = 0;
  const flush = () => {
    if (start >= 0) ranges.push({ start, end });
    start = -1;
    tokens = 0;
  };
  const rows = leaf.section?.kind === "sheet";
  const place = (piece: Piece) => {
    // A paragraph that nearly fills a passage starts one of its own rather than trailing the one before.
    const roomy = tokens > maxTokens * 0.6 && piece.grain < lastGrain && !rows;
    if (start >= 0 && (tokens + piece.tokens > maxTokens || roomy)) flush();
    if (start < 0) start = piece.start;
    end = piece.end;
    tokens += piece.tokens;
    lastGrain = piece.grain;
  };
  for (const piece of cutPoints(text, leaf.start, leaf.end, count, maxTokens)) place(piece);
  flush();
  return ranges;
}

/** Line numbers by position, asked in ascending order. */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  lineAt(position: number): number {
    if (position < this.#at) {
      this.#at = 0;
      this.#line = 1;
    }
    for (
      let next = this.#text.indexOf("\n", this.#at);
      next >= 0 && next < position;
      next = this.#text.indexOf("\n", next + 1)
    ) {
      this.#line++;
      this.#at = next + 1;
    }
    return this.#line;
  }
}
