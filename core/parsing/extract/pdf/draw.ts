import { deflateSync } from "node:zlib";
import { CredenceError } from "../../../contract/index.ts";
import type { PdfPageParams, PdfPageResult } from "../../jobs.ts";
import { readWhole } from "../../process/files.ts";
import { defaultLimits } from "../context.ts";
import { closePdf, openPdf } from "./document.ts";
import { findMarks, readBoxes } from "./marks.ts";
import { loadPdfium, type Pdfium } from "./pdfium.ts";

const bgra = 4;
const drawAnnotations = 0x01;
const maxPixels = 24_000_000;

/** Draws one page as PNG and finds the words of a passage on it. */
export async function drawPage(params: PdfPageParams): Promise<PdfPageResult> {
  const bytes = await readWhole(params.path, defaultLimits.maxFileBytes);
  const pdfium = await loadPdfium();
  const opened = openPdf(pdfium, bytes, params.password ?? null);
  if (opened === null) throw new CredenceError("documents.damaged", { format: "PDF" });
  try {
    const page = pdfium._FPDF_LoadPage(opened.document, params.page - 1);
    if (page === 0) throw new CredenceError("general.not-found", { what: "page", id: String(params.page) });
    try {
      if (opened.form) pdfium._FORM_OnAfterLoadPage(page, opened.form);
      const pageWidth = pdfium._FPDF_GetPageWidthF(page);
      const pageHeight = pdfium._FPDF_GetPageHeightF(page);
      const scale = Math.min(
        params.width / Math.max(1, pageWidth),
        Math.sqrt(maxPixels / Math.max(1, pageWidth * pageHeight)),
      );
      const width = Math.max(1, Math.round(pageWidth * scale));
      const height = Math.max(1, Math.round(pageHeight * scale));
      const png = encodePng(render(pdfium, page, width, height), width, height);
      const marks =
        params.mark === undefined
          ? []
          : findMarks(readBoxes(pdfium, page, width, height), params.mark).map(
              (box) => [box.x / width, box.y / height, box.width / width, box.height / height] as const,
            );
      return { width, height, pages: pdfium._FPDF_GetPageCount(opened.document), png, marks };
    } finally {
      if (opened.form) pdfium._FORM_OnBeforeClosePage(page, opened.form);
      pdfium._FPDF_ClosePage(page);
    }
  } finally {
    closePdf(opened);
  }
}

/** A page as PNG, `width` pixels wide. */
export function pageAsPng(pdfium: Pdfium, page: number, width: number): Buffer {
  const pageWidth = pdfium._FPDF_GetPageWidthF(page);
  const pageHeight = pdfium._FPDF_GetPageHeightF(page);
  const scale = Math.min(width / Math.max(1, pageWidth), Math.sqrt(maxPixels / Math.max(1, pageWidth * pageHeight)));
  const [pixelsWide, pixelsHigh] = [
    Math.max(1, Math.round(pageWidth * scale)),
    Math.max(1, Math.round(pageHeight * scale)),
  ];
  return encodePng(render(pdfium, page, pixelsWide, pixelsHigh), pixelsWide, pixelsHigh);
}

/** White paper, then the page with its annotations. */
function render(pdfium: Pdfium, page: number, width: number, height: number): Uint8Array {
  const stride = width * bgra;
  const data = pdfium.wasmExports.malloc(stride * height);
  if (data === 0)
    throw new CredenceError("documents.memory-limit", { megabytes: Math.round((stride * height) / 1024 / 1024) });
  try {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bgra, data, stride);
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawAnnotations);
    pdfium._FPDFBitmap_Destroy(bitmap);
    return pdfium.HEAPU8.slice(data, data + stride * height);
  } finally {
    pdfium.wasmExports.free(data);
  }
}

/** BGRA to an RGB PNG: one header, one compressed block, no palette. */
function encodePng(bgraPixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = 0;
    for (let x = 0; x < width; x++) {
      rows[to++] = bgraPixels[from + 2]!;
      rows[to++] = bgraPixels[from + 1]!;
      rows[to++] = bgraPixels[from]!;
      from += 4;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows, { level: 4 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
