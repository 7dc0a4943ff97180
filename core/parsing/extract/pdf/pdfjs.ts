import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { layOut } from "./layout.ts";
import type { PageText } from "./pdf.ts";
import { cleanText, isRtl, type Run } from "./runs.ts";

export interface PdfJsDocument {
  readonly pageCount: number;
  /** Pages count from 0. */
  page(index: number): Promise<PageText>;
  close(): Promise<void>;
}

interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The second reader: pdf.js, for files that PDFium cannot open and pages whose fonts it cannot map. Null when it cannot open it either. */
export async function openWithPdfJs(bytes: Uint8Array, password: string | null): Promise<PdfJsDocument | null> {
  const root = packageRoot();
  const pdfjs = await load(root);
  const loading = pdfjs.getDocument({
    // pdf.js takes the buffer for itself, so it gets its own copy.
    data: new Uint8Array(bytes),
    ...(password === null ? {} : { password }),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
    useWorkerFetch: false,
    ...(root === null
      ? {}
      : {
          cMapUrl: `${join(root, "cmaps")}/`,
          cMapPacked: true,
          standardFontDataUrl: `${join(root, "standard_fonts")}/`,
          BinaryDataFactory: FileDataFactory,
        }),
  });
  let document: Awaited<typeof loading.promise>;
  try {
    document = await loading.promise;
  } catch {
    await loading.destroy().catch(() => undefined);
    return null;
  }
  return {
    pageCount: document.numPages,
    async page(index) {
      const page = await document.getPage(index + 1);
      const view = page.view;
      const content = await page.getTextContent();
      const items = content.items.filter((item): item is typeof item & TextItem => "str" in item);
      const notes: string[] = [];
      for (const annotation of await page.getAnnotations()) {
        const value: unknown = annotation.fieldValue ?? annotation.contentsObj?.str;
        if (typeof value === "string" && annotation.subtype !== "Link" && value.trim() !== "" && value !== "Off")
          notes.push(value.trim());
      }
      page.cleanup();
      return { lines: layOut(items.flatMap(toRun)), notes, height: (view[3] ?? 0) - (view[1] ?? 0) };
    },
    async close() {
      await loading.destroy().catch(() => undefined);
    },
  };
}

function toRun(item: TextItem, order: number): Run[] {
  const text = cleanText(item.str);
  if (text.trim() === "") return [];
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const size = item.height || Math.hypot(a, b) || 1;
  const turn = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4) as Run["turn"];
  const box =
    turn === 0
      ? { x0: x, x1: x + item.width, y0: y - size * 0.25, y1: y + size * 0.85 }
      : turn === 1
        ? { x0: x - size * 0.85, x1: x + size * 0.25, y0: y, y1: y + item.width }
        : turn === 2
          ? { x0: x - item.width, x1: x, y0: y - size * 0.85, y1: y + size * 0.25 }
          : { x0: x - size * 0.25, x1: x + size * 0.85, y0: y - item.width, y1: y };
  return [{ text, ...box, size, turn, rtl: isRtl(text.codePointAt(0) ?? 0), order, vertical: false }];
}

let loading: Promise<typeof import("pdfjs-dist/legacy/build/pdf.mjs")> | null = null;

/**
 * Loads pdf.js for reading text only. Its worker runs in this process, which is apart anyway (and has no `Worker` of the
 * web), and the native canvas that it would load to draw with is kept out: strangers' bytes get no more native code.
 */
function load(root: string | null): Promise<typeof import("pdfjs-dist/legacy/build/pdf.mjs")> {
  loading ??= (async () => {
    if (root !== null) keepCanvasOut(root);
    // It makes one of these while it loads; they are used for drawing only.
    for (const name of ["DOMMatrix", "ImageData", "Path2D"])
      if (!(name in globalThis)) Object.assign(globalThis, { [name]: class {} });
    const worker: unknown = await import("pdfjs-dist/legacy/build/pdf.worker.mjs" as string);
    Object.assign(globalThis, { pdfjsWorker: worker });
    return import("pdfjs-dist/legacy/build/pdf.mjs");
  })();
  return loading;
}

function keepCanvasOut(root: string): void {
  const require = createRequire(join(root, "package.json"));
  try {
    const canvas = require.resolve("@napi-rs/canvas");
    require.cache[canvas] ??= Object.assign(Object.create(null) as NodeJS.Module, {
      id: canvas,
      filename: canvas,
      loaded: true,
      exports: {},
      children: [],
      paths: [],
    });
  } catch {
    // Not installed: nothing to keep out.
  }
}

/** Character maps and font metrics come from the package's own folder; nothing is ever asked for elsewhere. */
class FileDataFactory {
  readonly #folders: Readonly<Record<string, string | null>>;

  constructor(folders: Readonly<Record<string, string | null>>) {
    this.#folders = folders;
  }

  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const folder = this.#folders[kind];
    if (!folder) throw new Error(`no folder for ${kind}`);
    return new Uint8Array(await readFile(join(folder, basename(filename))));
  }
}

/** Where the package keeps its character maps; null in a bundle that was built without them. */
function packageRoot(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  } catch {
    return null;
  }
}
