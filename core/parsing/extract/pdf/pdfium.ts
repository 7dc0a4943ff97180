import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PDFiumModule } from "@hyzyla/pdfium";

/**
 * The functions of PDFium that we use, as its wasm build exports them: pointers are byte offsets into `HEAPU8`.
 * The package's own wrapper reads plain text only; positions, form fields and annotations need the functions beneath.
 */
export interface Pdfium {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
  readonly HEAP32: Int32Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
  _FPDF_InitLibraryWithConfig(config: object): void;
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFPage_Flatten(page: number, usage: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetFormFieldName(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFAnnot_GetFormFieldAlternateName(form: number, annotation: number, buffer: number, bytes: number): number;
  _FPDFAnnot_IsChecked(form: number, annotation: number): number;
  _FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
  _FPDFAnnot_GetOptionLabel(form: number, annotation: number, index: number, buffer: number, bytes: number): number;
  _FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): number;
  _FPDFDOC_InitFormFillEnvironment(document: number, info: number): number;
  _FPDFDOC_ExitFormFillEnvironment(form: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_IsGenerated(text: number, index: number): number;
  _FPDFText_GetCharAngle(text: number, index: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFDest_GetDestPageIndex(document: number, dest: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, data: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): void;
  _FPDF_PageToDevice(
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}

let loading: Promise<Pdfium> | null = null;

/** The wasm lies beside the package's code; in a bundle the build copies it next to the parser's entry. */
function wasmBytes(): ArrayBuffer {
  const besideEntry = join(dirname(process.argv[1] ?? "."), "pdfium.wasm");
  for (const find of [() => createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"), () => besideEntry]) {
    try {
      const bytes = readFileSync(find());
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    } catch {
      // Not here: the next place is tried.
    }
  }
  throw new Error("pdfium.wasm was not found beside the parser");
}

/** The one PDFium instance of this process. A trap inside wasm leaves it unusable: `dropPdfium` makes the next call start anew. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= PDFiumModule({ wasmBinary: wasmBytes(), locateFile: () => "" }).then((module) => {
    const pdfium = module as unknown as Pdfium;
    pdfium._FPDF_InitLibraryWithConfig({});
    return pdfium;
  });
  return loading;
}

export function dropPdfium(): void {
  loading = null;
}

/** Runs `use` with a zero-terminated copy of `text` in wasm memory. */
export function withCString<Value>(pdfium: Pdfium, text: string | Uint8Array, use: (pointer: number) => Value): Value {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  const pointer = pdfium.wasmExports.malloc(bytes.length + 1);
  try {
    pdfium.HEAPU8.set(bytes, pointer);
    pdfium.HEAPU8[pointer + bytes.length] = 0;
    return use(pointer);
  } finally {
    pdfium.wasmExports.free(pointer);
  }
}

/** Reads a UTF-16LE string by PDFium's two-call habit: ask for the length, then for the bytes. */
export function readUtf16(pdfium: Pdfium, ask: (buffer: number, bytes: number) => number): string {
  const bytes = ask(0, 0);
  if (bytes <= 2 || bytes > 64 * 1024 * 1024) return "";
  const pointer = pdfium.wasmExports.malloc(bytes);
  if (pointer === 0) return "";
  try {
    ask(pointer, bytes);
    return Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + bytes - 2)).toString("utf16le");
  } finally {
    pdfium.wasmExports.free(pointer);
  }
}
