import { CredenceError } from "../../../contract/index.ts";
import type { Extracted, Section } from "../../types.ts";
import type { ExtractContext } from "../context.ts";
import { TextBuilder } from "../text-builder.ts";
import { annotationTexts } from "./annotations.ts";
import {
  closePdf,
  type OpenPdf,
  type OutlineEntry,
  openPdf,
  readMetadata,
  readOutline,
  withTrailer,
} from "./document.ts";
import { pageAsPng } from "./draw.ts";
import { rejoinWords } from "./hyphens.ts";
import { type Line, layOut } from "./layout.ts";
import { openRecognizer, type Recognizer } from "./ocr.ts";
import { dropPdfium, loadPdfium, type Pdfium } from "./pdfium.ts";
import { openWithPdfJs, type PdfJsDocument } from "./pdfjs.ts";
import { dropRunningHeads } from "./running-heads.ts";
import { readRuns } from "./runs.ts";

/** One page as read: its lines, and what stands in form fields and notes without being drawn. */
export interface PageText {
  lines: Line[];
  readonly notes: readonly string[];
  readonly height: number;
}

const flattenForDisplay = 0;
const textObject = 1;

/** The text of a PDF, page by page: drawn text in reading order, then form values and notes that are not drawn. */
export async function extractPdf(bytes: Uint8Array, context: ExtractContext): Promise<Extracted> {
  let pdfium = await loadPdfium();
  let opened = openPdf(pdfium, bytes, context.password);
  const repaired = opened === null ? withTrailer(bytes) : null;
  if (repaired !== null) {
    opened = openPdf(pdfium, repaired, context.password);
    if (opened !== null)
      context.warn({ kind: "damaged", message: "The file is cut off or damaged; what could be found in it was read." });
  }
  const second = secondReader(bytes, context);
  if (opened === null) return readAllWithPdfJs(second, context);
  let pageCount = pdfium._FPDF_GetPageCount(opened.document);
  const metadata = readMetadata(opened);
  const outline = readOutline(opened);
  const scans = scanReader(context);
  const pages: PageText[] = [];
  let failedPages = 0;
  if (pageCount === 0) {
    closePdf(opened);
    return readAllWithPdfJs(second, context);
  }
  for (let index = 0; index < pageCount; index++) {
    if (context.expired()) {
      context.warn({
        kind: "cut-short",
        message: `Reading took too long: the text ends after page ${index} of ${pageCount}.`,
      });
      pageCount = index;
      break;
    }
    let page: PageText | null = null;
    let suspicious = false;
    try {
      const read = opened ? readPage(opened, index) : null;
      page = read?.page ?? null;
      suspicious = read === null || read.suspicious;
    } catch {
      // A trap in the wasm leaves the instance unusable; the rest of the file gets a fresh one.
      dropPdfium();
      pdfium = await loadPdfium();
      opened = openPdf(pdfium, bytes, context.password);
    }
    if (page === null || suspicious) page = better(page, await second.page(index));
    if (opened && (page === null || page.lines.length === 0)) page = (await scans.read(opened, index)) ?? page;
    if (page === null) failedPages++;
    pages.push(page ?? { lines: [], notes: [], height: 0 });
    context.progress(index + 1, pageCount, "page");
  }
  if (opened) closePdf(opened);
  await second.close();
  await scans.close();
  if (failedPages > 0) {
    context.warn({
      kind: "damaged",
      message: `${failedPages} of ${pageCount} pages are damaged and could not be read.`,
    });
  }
  return assemble(pages, outline, { ...metadata, pages: pageCount }, context);
}

function readPage(opened: OpenPdf, index: number): { page: PageText; suspicious: boolean } | null {
  const { pdfium, document, form } = opened;
  let page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) return null;
  let notes: string[] = [];
  if (pdfium._FPDFPage_GetAnnotCount(page) > 0) {
    if (form) pdfium._FORM_OnAfterLoadPage(page, form);
    notes = annotationTexts(pdfium, form, page);
    // Field values and annotations are drawn apart from the page; flattened into it, they are read where they stand.
    pdfium._FPDFPage_Flatten(page, flattenForDisplay);
    if (form) pdfium._FORM_OnBeforeClosePage(page, form);
    pdfium._FPDF_ClosePage(page);
    page = pdfium._FPDF_LoadPage(document, index);
    if (page === 0) return null;
  }
  const height = pdfium._FPDF_GetPageHeightF(page);
  const textPage = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium.wasmExports.malloc(32);
  try {
    const { runs, unmapped } = textPage === 0 ? { runs: [], unmapped: 0 } : readRuns(pdfium, textPage, scratch);
    const lines = layOut(runs);
    const suspicious = runs.length === 0 ? hasTextObjects(pdfium, page) : looksUnmapped(lines, unmapped);
    return { page: { lines, notes, height }, suspicious };
  } finally {
    pdfium.wasmExports.free(scratch);
    if (textPage) pdfium._FPDFText_ClosePage(textPage);
    pdfium._FPDF_ClosePage(page);
  }
}

function hasTextObjects(pdfium: Pdfium, page: number): boolean {
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), 2000);
  for (let i = 0; i < count; i++) {
    const type = pdfium._FPDFPageObj_GetType(pdfium._FPDFPage_GetObject(page, i));
    if (type === textObject || type === 5) return true;
  }
  return false;
}

/** Fonts without a usable mapping give glyph numbers, private-use characters or shifted letters; pdf.js sometimes knows better. */
function looksUnmapped(lines: readonly Line[], unmapped: number): boolean {
  let odd = unmapped;
  let total = unmapped;
  for (const line of lines) {
    for (const character of line.text) {
      const code = character.codePointAt(0)!;
      total++;
      if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) odd++;
    }
  }
  if (odd > 4 && odd > total * 0.03) return true;
  return total > 8 && sane(lines) < total * 0.4;
}

/** Characters in words that look like words: one alphabet, capitals only in front or throughout. */
function sane(lines: readonly Line[]): number {
  let count = 0;
  for (const line of lines) {
    for (const word of line.text.split(/[^\p{L}\p{M}\p{N}]+/u)) {
      if (/^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{M}\p{Lm}\p{N}]+)$/u.test(word)) count += word.length;
    }
  }
  return count;
}

/** The reading with more plausible words, if it has about as many characters; a tie keeps the first. */
function better(first: PageText | null, second: PageText | null): PageText | null {
  if (first === null || second === null) return first ?? second;
  const gain = sane(second.lines) > sane(first.lines) * 1.2 + 4 && letters(second.lines) > letters(first.lines) * 0.95;
  return gain ? { ...second, notes: first.notes.length > 0 ? first.notes : second.notes } : first;
}

function letters(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + (line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

/** pdf.js, opened only when a page needs it. */
function secondReader(bytes: Uint8Array, context: ExtractContext) {
  let opening: Promise<PdfJsDocument | null> | null = null;
  const open = () => {
    opening ??= openWithPdfJs(bytes, context.password);
    return opening;
  };
  return {
    open,
    async page(index: number): Promise<PageText | null> {
      const document = await open().catch(() => null);
      return document ? document.page(index).catch(() => null) : null;
    },
    async close(): Promise<void> {
      const document = await opening?.catch(() => null);
      await document?.close();
    },
  };
}

/** A page this wide has letters of about 30 pixels, which Tesseract reads best. */
const scanWidth = 1700;

/** Text recognition, opened when the first page needs it; pages stay unread where none is asked for. */
function scanReader(context: ExtractContext) {
  let opening: Promise<Recognizer> | null = null;
  return {
    async read({ pdfium, document }: OpenPdf, index: number): Promise<PageText | null> {
      if (!context.ocr) return null;
      const page = pdfium._FPDF_LoadPage(document, index);
      if (page === 0) return null;
      try {
        if (pdfium._FPDFPage_CountObjects(page) === 0) return null;
        const png = pageAsPng(pdfium, page, scanWidth);
        opening ??= openRecognizer(context.ocr);
        return { lines: (await opening).read(png), notes: [], height: 0 };
      } finally {
        pdfium._FPDF_ClosePage(page);
      }
    },
    async close(): Promise<void> {
      (await opening?.catch(() => null))?.close();
    },
  };
}

async function readAllWithPdfJs(second: ReturnType<typeof secondReader>, context: ExtractContext): Promise<Extracted> {
  const document = await second.open();
  if (document === null) throw new CredenceError("documents.damaged", { format: "PDF" });
  const pages: PageText[] = [];
  for (let index = 0; index < document.pageCount; index++) {
    if (context.expired()) {
      context.warn({
        kind: "cut-short",
        message: `Reading took too long: the text ends after page ${index} of ${document.pageCount}.`,
      });
      break;
    }
    pages.push((await document.page(index).catch(() => null)) ?? { lines: [], notes: [], height: 0 });
    context.progress(index + 1, document.pageCount, "page");
  }
  await document.close();
  return assemble(pages, [], { pages: document.pageCount }, context);
}

function assemble(
  pages: PageText[],
  outline: readonly OutlineEntry[],
  metadata: Record<string, string | number>,
  context: ExtractContext,
): Extracted {
  const dropped = dropRunningHeads(pages);
  const builder = new TextBuilder(context.limits.maxTextChars);
  const pageTexts = rejoinWords(pages.map((page) => page.lines));
  pages.forEach((page, i) => {
    builder.newParagraph().open("page", null, 1, i + 1);
    builder.add(pageTexts[i]!);
    const drawn = normalise(pageTexts[i]!);
    for (const note of page.notes) {
      if (!drawn.includes(normalise(note))) builder.newLine().add(note).newLine();
    }
  });
  const { text, sections } = builder.finish();
  warnOfScans(sections, context);
  const title = typeof metadata["title"] === "string" ? metadata["title"] : null;
  const headings = outline
    .slice(0, 2000)
    .map((entry) => `${"  ".repeat(entry.level - 1)}${entry.title} (p. ${entry.page + 1})`);
  return {
    format: "pdf",
    text,
    sections,
    title,
    language: null,
    warnings: [],
    metadata: {
      ...metadata,
      ...(dropped.length > 0 ? { runningHeads: dropped } : {}),
      ...(headings.length > 0 ? { outline: headings } : {}),
    },
  };
}

const normalise = (text: string) => text.replace(/\s+/g, "").toLowerCase();

function warnOfScans(pages: readonly Section[], context: ExtractContext): void {
  const blank = pages.filter((page) => page.end === page.start);
  if (pages.length === 0) return;
  if (blank.length === pages.length) {
    context.warn({ kind: "no-text-layer", message: "No text layer: the pages are pictures, perhaps a scan." });
  } else if (blank.length > 0) {
    const numbers = blank
      .slice(0, 10)
      .map((page) => page.number)
      .join(", ");
    const more = blank.length > 10 ? ` and ${blank.length - 10} more` : "";
    context.warn({
      kind: "some-pages-without-text",
      message: `${blank.length === 1 ? "Page" : "Pages"} ${numbers}${more} have no text: blank, or pictures.`,
    });
  }
}
