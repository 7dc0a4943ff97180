import type { Pdfium } from "./pdfium.ts";

/** A stretch of text set in one go: one baseline, no wide gap. Coordinates in points, y grows upwards. */
export interface Run {
  text: string;
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  size: number;
  /** Quarter turns counter-clockwise of the writing direction. */
  turn: 0 | 1 | 2 | 3;
  rtl: boolean;
  /** Place in the content stream. */
  order: number;
  /** Set in a stack, one character under another. */
  vertical: boolean;
  /** Spaces that the file writes before and after it: they part words even where runs touch. */
  spaceBefore?: boolean;
  spaceAfter?: boolean;
}

/** Letters that some fonts draw as one; the text has them apart, as a reader would type them. */
const ligatures: Record<number, string> = {
  64256: "ff",
  64257: "fi",
  64258: "fl",
  64259: "ffi",
  64260: "ffl",
  64261: "st",
  64262: "st",
};

/** PDFium marks a hyphen at the end of a line by one of these. */
export const lineHyphen = "\u0002";

export function isRtl(code: number): boolean {
  return (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfeff);
}

function isIdeograph(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    code >= 0x20000
  );
}

function clean(code: number): string {
  if (code === 0xfffe || code === 2) return lineHyphen;
  const ligature = ligatures[code];
  if (ligature) return ligature;
  if (code === 0xa0 || code === 0x2007 || code === 0x202f) return " ";
  if (
    code < 32 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0xfeff ||
    code === 0xffff ||
    (code >= 0xd800 && code <= 0xdfff)
  )
    return "";
  // Arabic fonts are set with the shapes of letters; the text has the letters.
  if ((code >= 0xfb50 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc))
    return String.fromCodePoint(code).normalize("NFKC");
  return String.fromCodePoint(code);
}

/** The same for text that comes in strings. */
export function cleanText(text: string): string {
  let clear = "";
  for (const character of text) clear += clean(character.codePointAt(0)!);
  return clear;
}

/**
 * The page's text as runs in content order. Positions come character by character; a run ends at a new baseline,
 * at a gap wider than a word space, or where PDFium itself ends a line. `unmapped` counts control characters, which are
 * glyph numbers of a font without a mapping.
 */
export function readRuns(pdfium: Pdfium, textPage: number, scratch: number): { runs: Run[]; unmapped: number } {
  const count = pdfium._FPDFText_CountChars(textPage);
  const runs: Run[] = [];
  let unmapped = 0;
  let run: Run | null = null;
  let pendingSpace = false;
  let guessedSpace = false;
  let last = { x0: 0, x1: 0, y0: 0, y1: 0, size: 0 };
  let spaceBefore = false;
  /** Letters of one run stand about equally far apart; a guessed space must be wider than that. */
  let letterGap = 0;
  const end = () => {
    if (run && run.text.trim() !== "") {
      run.spaceAfter = pendingSpace;
      runs.push(run);
    }
    spaceBefore = run !== null && pendingSpace;
    letterGap = 0;
    run = null;
    pendingSpace = false;
    guessedSpace = false;
  };
  for (let i = 0; i < count; i++) {
    let code = pdfium._FPDFText_GetUnicode(textPage, i) >>> 0;
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < count) {
      const low = pdfium._FPDFText_GetUnicode(textPage, i + 1) >>> 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
      }
    }
    if (code === 13 || code === 10) {
      if (pdfium._FPDFText_IsGenerated(textPage, i) === 1) end();
      else pendingSpace = true;
      continue;
    }
    if (code === 32 || code === 9 || code === 0xa0) {
      if (pdfium._FPDFText_IsGenerated(textPage, i) === 1) guessedSpace = true;
      else pendingSpace = true;
      continue;
    }
    const text = clean(code);
    if (text === "") {
      if (code < 32) unmapped++;
      continue;
    }
    if (pdfium._FPDFText_GetLooseCharBox(textPage, i, scratch) !== 1) continue;
    // FS_RECTF: left, top, right, bottom.
    const at = scratch >> 2;
    const x0 = Math.min(pdfium.HEAPF32[at]!, pdfium.HEAPF32[at + 2]!);
    const x1 = Math.max(pdfium.HEAPF32[at]!, pdfium.HEAPF32[at + 2]!);
    const y0 = Math.min(pdfium.HEAPF32[at + 1]!, pdfium.HEAPF32[at + 3]!);
    const y1 = Math.max(pdfium.HEAPF32[at + 1]!, pdfium.HEAPF32[at + 3]!);
    const angle = pdfium._FPDFText_GetCharAngle(textPage, i);
    // PDFium measures clockwise.
    const turn = ((4 - (Math.round(Math.max(angle, 0) / (Math.PI / 2)) % 4)) % 4) as Run["turn"];
    const tall = turn % 2 === 0 ? y1 - y0 : x1 - x0;
    const size = tall > 0.1 ? tall : Math.max(1, pdfium._FPDFText_GetFontSize(textPage, i));
    const rtl = isRtl(code);
    if (run) {
      const joined = joins(run, last, {
        x0,
        x1,
        y0,
        y1,
        size,
        turn,
        rtl: rtl || (run.rtl && !/\p{L}/u.test(text)),
        code,
      });
      if (joined === "no") end();
      else if (joined === "vertical") run.vertical = true;
    }
    if (run) {
      const gap = gapBetween(run, last, { x0, x1, y0, y1 });
      // PDFium guesses spaces from widths that odd fonts misstate; the gap on the page decides.
      if (pendingSpace || (guessedSpace && gap - letterGap > 0.04 * size)) run.text += " ";
      else letterGap = letterGap === 0 ? Math.max(0, gap) : letterGap * 0.7 + Math.max(0, gap) * 0.3;
      run.text += text;
      run.x0 = Math.min(run.x0, x0);
      run.x1 = Math.max(run.x1, x1);
      run.y0 = Math.min(run.y0, y0);
      run.y1 = Math.max(run.y1, y1);
      run.size = Math.max(run.size, size);
      run.rtl ||= rtl;
    } else {
      run = { text, x0, x1, y0, y1, size, turn, rtl, order: runs.length, vertical: false, spaceBefore };
      spaceBefore = false;
    }
    pendingSpace = false;
    guessedSpace = false;
    last = { x0, x1, y0, y1, size };
  }
  end();
  return { runs, unmapped };
}

type Box = Pick<Glyph, "x0" | "x1" | "y0" | "y1">;

/** The white between two characters of one line; negative where they overlap. */
function gapBetween(run: Run, last: Box, next: Box): number {
  const [after, before] =
    run.turn % 2 === 0 ? [next.x0 - last.x1, last.x0 - next.x1] : [next.y0 - last.y1, last.y0 - next.y1];
  return Math.max(after, before);
}

interface Glyph {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  size: number;
}

function joins(
  run: Run,
  last: Glyph,
  next: Glyph & { turn: number; rtl: boolean; code: number },
): "yes" | "no" | "vertical" {
  if (next.turn !== run.turn) return "no";
  const em = Math.max(last.size, next.size);
  // Turned text is judged in its own direction: along is where it is read, across is the other.
  const [a0, a1, b0, b1, lastA0, lastA1, lastB0, lastB1] =
    run.turn % 2 === 0
      ? [next.x0, next.x1, next.y0, next.y1, last.x0, last.x1, last.y0, last.y1]
      : [next.y0, next.y1, next.x0, next.x1, last.y0, last.y1, last.x0, last.x1];
  const overlap = Math.min(b1, lastB1) - Math.max(b0, lastB0);
  const backwards = run.turn === 2 || run.turn === 3 || next.rtl;
  if (overlap > 0.3 * Math.min(b1 - b0, lastB1 - lastB0) || (b1 - b0 < 0.1 && Math.abs(b0 - lastB0) < em * 0.3)) {
    const gap = backwards ? lastA0 - a1 : a0 - lastA1;
    if (gap > em * 1.1) return "no";
    if (gap < -em * 1.6 && !run.rtl && !next.rtl) return "no";
    return "yes";
  }
  const stacked =
    run.turn === 0 && isIdeograph(next.code) && Math.abs(last.x0 + last.x1 - next.x0 - next.x1) < em * 0.5;
  if (
    stacked &&
    next.y1 <= last.y0 + em * 0.3 &&
    next.y1 > last.y0 - em &&
    (run.vertical || [...run.text].length === 1)
  )
    return "vertical";
  return "no";
}
