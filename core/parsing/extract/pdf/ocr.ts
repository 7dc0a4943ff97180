import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CredenceError } from "../../../contract/index.ts";
import { installedLanguages } from "../../ocr-languages.ts";
import type { Line } from "./layout.ts";

/** Where language data lies (`eng.traineddata`, packed with gzip or not), and which to use. */
export interface OcrOptions {
  readonly folder: string;
  /** Tesseract's names; all that are installed when left out. */
  readonly languages?: readonly string[];
}

/** Tesseract as its wasm build exports it; we call what we need. */
interface Tesseract {
  readonly FS: { writeFile(path: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    Init(folder: string, languages: string, engine: number): number;
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    MeanTextConf(): number;
    End(): void;
  };
}

export interface Recognizer {
  /** Lines of a page from its picture, top to bottom; empty where nothing can be read. */
  read(png: Uint8Array): Line[];
  close(): void;
}

/** Below this mean confidence the words are guesses at pictures. */
const leastConfidence = 30;
const lstm = 1;

/** Loads Tesseract with local language data; nothing is fetched. Throws `documents.ocr-not-installed`. */
export async function openRecognizer(options: OcrOptions): Promise<Recognizer> {
  const installed = installedLanguages(options.folder);
  const languages = options.languages ?? installed;
  const missing = languages.find((language) => !installed.includes(language));
  if (languages.length === 0 || missing !== undefined) {
    throw new CredenceError("documents.ocr-not-installed", { language: missing ?? "eng" });
  }
  const require = createRequire(import.meta.url);
  const entry = require.resolve("tesseract.js-core/tesseract-core-simd-lstm.js");
  const load = require(entry) as (options: object) => Promise<Tesseract>;
  const tesseract = await load({
    locateFile: (file: string) => join(entry, "..", file),
    print: () => {},
    printErr: () => {},
  });
  for (const language of languages)
    tesseract.FS.writeFile(`${language}.traineddata`, languageData(options.folder, language));
  const api = new tesseract.TessBaseAPI();
  if (api.Init("/", languages.join("+"), lstm) !== 0)
    throw new CredenceError("documents.ocr-not-installed", { language: languages[0]! });
  return {
    read(png) {
      tesseract.FS.writeFile("/input", png);
      api.SetImageFile(1, 0);
      api.Recognize(null);
      return api.MeanTextConf() < leastConfidence ? [] : toLines(api.GetUTF8Text());
    },
    close: () => api.End(),
  };
}

function languageData(folder: string, language: string): Uint8Array {
  const plain = join(folder, `${language}.traineddata`);
  return existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(`${plain}.gz`));
}

/** Places from top to bottom, so that recognised pages lose their running heads like others. */
function toLines(text: string): Line[] {
  const rows = text.split("\n");
  const lines: Line[] = [];
  let gap = false;
  rows.forEach((row, i) => {
    if (row.trim() === "") {
      gap = lines.length > 0;
      return;
    }
    const y = (rows.length - i) * 12;
    lines.push({ text: row.trim(), x0: 0, x1: row.length * 6, y0: y, y1: y + 10, gapBefore: gap });
    gap = false;
  });
  return lines;
}
