import type { TokenEstimate } from "./tokens.ts";

/** A stretch without blank edges. `grain`: 0 paragraph, 1 line, 2 sentence, 3 words. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly grain: number;
}

/** Edges by grain: after an empty line; after a line; after a sentence's end; after a word. */
const edges: readonly RegExp[] = [
  /\n[ \t]*\n\s*/g,
  /\n\s*/g,
  /(?<=[.!?…]["'”’)\]]?)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/gu,
  /\s+|(?<=[,;、，])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/gu,
];

/** Cuts `text` from `start` to `end` into pieces of at most `maxTokens`, no finer than needed. */
export function* cutPoints(
  text: string,
  start: number,
  end: number,
  count: TokenEstimate,
  maxTokens: number,
  grain = 0,
): Generator<Piece> {
  const edge = edges[grain];
  if (edge === undefined) {
    yield* hardCuts(text, start, end, count, maxTokens);
    return;
  }
  let at = start;
  const scan = new RegExp(edge.source, edge.flags);
  scan.lastIndex = start;
  for (;;) {
    const match = at < end ? scan.exec(text) : null;
    const stop = match && match.index < end ? match.index : end;
    const piece = trimmed(text, at, stop);
    if (piece) {
      // Counting a very long stretch would only show that it is too long.
      const tokens =
        piece.end - piece.start > maxTokens * 14 ? Number.POSITIVE_INFINITY : count(text.slice(piece.start, piece.end));
      if (tokens <= maxTokens) yield { ...piece, tokens, grain };
      else yield* cutPoints(text, piece.start, piece.end, count, maxTokens, grain + 1);
    }
    if (!match || match.index >= end) return;
    at = match.index + match[0].length;
    if (match[0].length === 0) scan.lastIndex = match.index + 1;
  }
}

/** Text without any edge (a base64 line, a word a page long) is cut by length, never inside a surrogate pair. */
function* hardCuts(
  text: string,
  start: number,
  end: number,
  count: TokenEstimate,
  maxTokens: number,
): Generator<Piece> {
  let at = start;
  while (at < end) {
    let stop = Math.min(end, at + Math.max(16, maxTokens));
    if (stop < end && isLow(text.charCodeAt(stop))) stop--;
    yield { start: at, end: stop, tokens: Math.min(maxTokens, count(text.slice(at, stop))), grain: 3 };
    at = stop;
  }
}

const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;

function trimmed(text: string, start: number, end: number): { start: number; end: number } | null {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return from < to ? { start: from, end: to } : null;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}
