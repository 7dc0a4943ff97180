import type { Pdfium } from "./pdfium.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PlacedText {
  /** Letters and digits only, in lower case. */
  readonly text: string;
  /** A box for each character of `text`. */
  readonly boxes: readonly Box[];
}

/** Every letter of the page with its place in pixels, the page's own rotation included. */
export function readBoxes(pdfium: Pdfium, page: number, width: number, height: number): PlacedText {
  const textPage = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium.wasmExports.malloc(64);
  const boxes: Box[] = [];
  let text = "";
  try {
    const count = textPage === 0 ? 0 : pdfium._FPDFText_CountChars(textPage);
    for (let i = 0; i < count; i++) {
      const code = pdfium._FPDFText_GetUnicode(textPage, i) >>> 0;
      const letters = code === 0 || (code >= 0xd800 && code <= 0xdfff) ? "" : plain(String.fromCodePoint(code));
      if (letters === "" || pdfium._FPDFText_GetLooseCharBox(textPage, i, scratch) !== 1) continue;
      const at = scratch >> 2;
      const [left, top, right, bottom] = [
        pdfium.HEAPF32[at]!,
        pdfium.HEAPF32[at + 1]!,
        pdfium.HEAPF32[at + 2]!,
        pdfium.HEAPF32[at + 3]!,
      ];
      const a = toPixels(pdfium, page, width, height, left, top, scratch + 32);
      const b = toPixels(pdfium, page, width, height, right, bottom, scratch + 32);
      const box = {
        x: Math.min(a.x, b.x),
        y: Math.min(a.y, b.y),
        width: Math.abs(a.x - b.x),
        height: Math.abs(a.y - b.y),
      };
      for (const letter of letters) {
        text += letter;
        for (let unit = 0; unit < letter.length; unit++) boxes.push(box);
      }
    }
  } finally {
    pdfium.wasmExports.free(scratch);
    if (textPage) pdfium._FPDFText_ClosePage(textPage);
  }
  return { text, boxes };
}

function toPixels(
  pdfium: Pdfium,
  page: number,
  width: number,
  height: number,
  x: number,
  y: number,
  scratch: number,
): { x: number; y: number } {
  pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, scratch, scratch + 4);
  return { x: pdfium.HEAP32[scratch >> 2]!, y: pdfium.HEAP32[(scratch + 4) >> 2]! };
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The places of a passage, a box a line. Its lines are looked for one by one, because columns and tables stand on the
 * page in another order than they are read; a line with pieces from two places is looked for by its pieces.
 */
export function findMarks(page: PlacedText, passage: string): Box[] {
  const marks: Box[] = [];
  let near = 0;
  for (const line of passage.split(/[\n\t]/)) {
    const wanted = plain(line);
    if (wanted === "") continue;
    const at = nearest(page.text, wanted, near);
    if (at >= 0) {
      marks.push(...linesOf(page.boxes.slice(at, at + wanted.length)));
      near = at + wanted.length;
      continue;
    }
    for (const word of line.split(/\s+/).map(plain)) {
      const found = word.length < 3 ? -1 : page.text.indexOf(word, near);
      if (found < 0 || found - near > 400) continue;
      marks.push(...linesOf(page.boxes.slice(found, found + word.length)));
      near = found + word.length;
    }
  }
  return merge(marks);
}

function nearest(text: string, wanted: string, near: number): number {
  const after = text.indexOf(wanted, near);
  return after >= 0 && after - near < 3000 ? after : text.indexOf(wanted);
}

/** Letters to boxes, one for each line that they stand on. */
function linesOf(boxes: readonly Box[]): Box[] {
  const lines: { x0: number; y0: number; x1: number; y1: number }[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const middle = box.y + box.height / 2;
    if (last && middle > last.y0 && middle < last.y1 && box.x >= last.x0 - box.height * 2) {
      last.x0 = Math.min(last.x0, box.x);
      last.x1 = Math.max(last.x1, box.x + box.width);
      last.y0 = Math.min(last.y0, box.y);
      last.y1 = Math.max(last.y1, box.y + box.height);
    } else lines.push({ x0: box.x, y0: box.y, x1: box.x + box.width, y1: box.y + box.height });
  }
  return lines.map(({ x0, y0, x1, y1 }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
}

/** Neighbours on one line become one mark. */
function merge(boxes: readonly Box[]): Box[] {
  const merged: Box[] = [];
  for (const box of boxes) {
    const last = merged.at(-1);
    const sameLine =
      last &&
      Math.abs(last.y - box.y) < box.height * 0.4 &&
      box.x >= last.x &&
      box.x - (last.x + last.width) < box.height;
    if (last && sameLine) {
      merged[merged.length - 1] = {
        x: last.x,
        y: Math.min(last.y, box.y),
        width: Math.max(last.x + last.width, box.x + box.width) - last.x,
        height: Math.max(last.height, box.height),
      };
    } else merged.push(box);
  }
  return merged;
}
