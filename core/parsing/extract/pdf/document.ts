import { CredenceError } from "../../../contract/index.ts";
import { dropPdfium, type Pdfium, readUtf16, withCString } from "./pdfium.ts";

const passwordError = 4;
const securityError = 5;

/** A document open in PDFium, with what has to be freed after it. */
export interface OpenPdf {
  readonly pdfium: Pdfium;
  readonly document: number;
  readonly data: number;
  readonly form: number;
  readonly info: number;
}

export function openPdf(pdfium: Pdfium, bytes: Uint8Array, password: string | null): OpenPdf | null {
  const data = pdfium.wasmExports.malloc(Math.max(1, bytes.length));
  if (data === 0) throw new CredenceError("documents.too-large", { bytes: bytes.length, limit: 2 ** 31 });
  pdfium.HEAPU8.set(bytes, data);
  let document = withCString(pdfium, password ?? "", (text) =>
    pdfium._FPDF_LoadMemDocument(data, bytes.length, password === null ? 0 : text),
  );
  if (document === 0 && password !== null && /[^\0-\x7f]/.test(password)) {
    // Before PDF 2.0 passwords were kept in the Latin alphabet of the time.
    document = withCString(pdfium, Buffer.from(password, "latin1"), (text) =>
      pdfium._FPDF_LoadMemDocument(data, bytes.length, text),
    );
  }
  if (document === 0) {
    const failure = pdfium._FPDF_GetLastError();
    pdfium.wasmExports.free(data);
    if (failure === passwordError)
      throw new CredenceError(password === null ? "documents.password-needed" : "documents.password-wrong", {});
    if (failure === securityError) throw new CredenceError("documents.encrypted", { format: "PDF" });
    return null;
  }
  // FPDF_FORMFILLINFO of version 1: all callbacks null, which PDFium checks before each call.
  const info = pdfium.wasmExports.malloc(256);
  pdfium.HEAPU8.fill(0, info, info + 256);
  pdfium.HEAPU8[info] = 1;
  const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
  return { pdfium, document, data, form, info };
}

export function closePdf(opened: OpenPdf): void {
  const { pdfium, document, data, form, info } = opened;
  try {
    if (form) pdfium._FPDFDOC_ExitFormFillEnvironment(form);
    pdfium._FPDF_CloseDocument(document);
    pdfium.wasmExports.free(info);
    pdfium.wasmExports.free(data);
  } catch {
    dropPdfium();
  }
}

/** Title, author and the like, by their names in small letters. */
export function readMetadata({ pdfium, document }: OpenPdf): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const tag of ["Title", "Author", "Subject", "Keywords", "CreationDate", "Producer"]) {
    const value = withCString(pdfium, tag, (name) =>
      readUtf16(pdfium, (buffer, bytes) => pdfium._FPDF_GetMetaText(document, name, buffer, bytes)),
    );
    if (value.trim() !== "") metadata[tag[0]!.toLowerCase() + tag.slice(1)] = value.trim();
  }
  return metadata;
}

export interface OutlineEntry {
  readonly title: string;
  readonly page: number;
  readonly level: number;
}

/** The bookmarks, in order. */
export function readOutline({ pdfium, document }: OpenPdf): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, level: number) => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(document, parent);
    // Hand-made files link bookmarks in rings.
    while (bookmark !== 0 && !seen.has(bookmark) && entries.length < 5000 && level < 8) {
      seen.add(bookmark);
      const current = bookmark;
      const title = readUtf16(pdfium, (buffer, bytes) => pdfium._FPDFBookmark_GetTitle(current, buffer, bytes)).trim();
      const dest = pdfium._FPDFBookmark_GetDest(document, bookmark);
      const page = dest ? pdfium._FPDFDest_GetDestPageIndex(document, dest) : -1;
      if (title !== "" && page >= 0) entries.push({ title, page, level });
      walk(bookmark, level + 1);
      bookmark = pdfium._FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  walk(0, 1);
  return entries;
}

/** A file cut off before its end has lost the pointer to its catalogue; one is added when the catalogue itself is there. */
export function withTrailer(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length > 300_000_000) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const catalog = /(\d+)\s+(\d+)\s+obj\s*<<(?:(?!endobj)[\s\S]){0,2000}?\/Type\s*\/Catalog\b/.exec(text);
  if (!catalog) return null;
  return Buffer.concat([
    bytes,
    Buffer.from(`\ntrailer\n<</Root ${catalog[1]} ${catalog[2]} R>>\nstartxref\n0\n%%EOF\n`, "latin1"),
  ]);
}
