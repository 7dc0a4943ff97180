import { format } from "numfmt";
import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { coreProperties, type Relationship, relationships } from "./ooxml-package.ts";
import { maxGap, rowText } from "./rows.ts";
import { TextBuilder } from "./text-builder.ts";
import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly hidden: boolean;
}

interface Book {
  readonly strings: readonly string[];
  readonly formats: readonly string[];
  readonly date1904: boolean;
}

/** Excel: every sheet, a row a line, cells with tabs, numbers and dates as the sheet displays them, comments and text boxes after. */
export async function extractXlsx(zip: Zip, context: ExtractContext): Promise<Extracted> {
  let main = "xl/workbook.xml";
  for (const rel of (await relationships(zip, "")).values())
    if (rel.type.endsWith("/officeDocument")) main = rel.target;
  const rels = await relationships(zip, main);
  const { sheets, date1904 } = readWorkbook((await zip.text(main)) ?? "", rels, zip);
  const part = (type: string, usual: string) =>
    [...rels.values()].find((rel) => rel.type.endsWith(type))?.target ?? usual;
  const book: Book = {
    strings: readStrings((await zip.text(part("/sharedStrings", "xl/sharedStrings.xml"))) ?? ""),
    formats: readFormats((await zip.text(part("/styles", "xl/styles.xml"))) ?? ""),
    date1904,
  };
  const builder = new TextBuilder(context.limits.maxTextChars);
  const rowNumbers = new Map<number, number[]>();
  for (let i = 0; i < sheets.length; i++) {
    if (context.expired() || builder.full) {
      context.warn({
        kind: "cut-short",
        message: `The workbook is too large to read whole: the text ends before sheet ${i + 1} of ${sheets.length}.`,
      });
      break;
    }
    const sheet = sheets[i]!;
    builder.newParagraph().open("sheet", sheet.name, 1, i + 1);
    rowNumbers.set(i, writeSheet((await zip.text(sheet.part)) ?? "", book, builder, context));
    for (const rel of (await relationships(zip, sheet.part)).values()) {
      if (rel.external || !/\/(comments|threadedComment|drawing|table)$/.test(rel.type) || rel.type.endsWith("/table"))
        continue;
      const words = partWords((await zip.text(rel.target)) ?? "");
      if (words !== "") builder.newLine().add(words).newLine();
      for (const inner of rel.type.endsWith("/drawing") ? (await relationships(zip, rel.target)).values() : []) {
        const chart = inner.type.endsWith("/chart") ? partWords((await zip.text(inner.target)) ?? "") : "";
        if (chart !== "") builder.newLine().add(chart).newLine();
      }
    }
    context.progress(i + 1, sheets.length, "sheet");
  }
  const { text, sections } = builder.finish();
  const metadata = await coreProperties(zip);
  const hidden = sheets.filter((sheet) => sheet.hidden).map((sheet) => sheet.name);
  return {
    format: "xlsx",
    text,
    sections: sections.map((section, i) => ({ ...section, rows: rowNumbers.get(i) ?? [] })),
    title: metadata["title"] ?? null,
    language: null,
    warnings: [],
    metadata: { ...metadata, sheets: sheets.length, ...(hidden.length > 0 ? { hiddenSheets: hidden } : {}) },
  };
}

function readWorkbook(
  xml: string,
  rels: ReadonlyMap<string, Relationship>,
  zip: Zip,
): { sheets: Sheet[]; date1904: boolean } {
  const sheets: Sheet[] = [];
  let date1904 = false;
  walkXml(xml, {
    open(local, attributes) {
      if (local === "workbookPr") date1904 = /^(?:1|true)$/.test(attribute(attributes, "date1904") ?? "");
      if (local !== "sheet") return;
      const rel = rels.get(attributes["r:id"] ?? attribute(attributes, "id") ?? "");
      if (!rel || !/worksheet$/.test(rel.type)) return;
      sheets.push({
        name: attributes["name"] ?? `Sheet ${sheets.length + 1}`,
        part: rel.target,
        hidden: attributes["state"] !== undefined && attributes["state"] !== "visible",
      });
    },
  });
  if (sheets.length > 0) return { sheets, date1904 };
  const found = zip.names.filter((name) => /worksheets\/[^/]+\.xml$/.test(name)).sort();
  return { sheets: found.map((name, i) => ({ name: `Sheet ${i + 1}`, part: name, hidden: false })), date1904 };
}

function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = 0;
  walkXml(xml, {
    open(local) {
      if (local === "si") text = "";
      else if (local === "rPh") phonetic++;
      else if (local === "t") inText = phonetic === 0;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(local) {
      if (local === "t") inText = false;
      else if (local === "rPh") phonetic--;
      else if (local === "si") strings.push(text);
    },
  });
  return strings;
}

/** Formats that Excel knows by number only. Short dates follow the reader's country there; here they are ISO. */
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0 ;(#,##0)",
  38: "#,##0 ;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mmss.0",
  48: "##0.0E+0",
  49: "@",
};

function readFormats(xml: string): string[] {
  const custom = new Map<number, string>();
  const formats: string[] = [];
  let inCells = false;
  walkXml(xml, {
    open(local, attributes) {
      if (local === "numFmt")
        custom.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? "");
      else if (local === "cellXfs") inCells = true;
      else if (local === "xf" && inCells) {
        const id = Number(attribute(attributes, "numFmtId") ?? 0);
        formats.push(custom.get(id) ?? builtIn[id] ?? "");
      }
    },
    close(local) {
      if (local === "cellXfs") inCells = false;
    },
  });
  return formats;
}

/** Writes a sheet's rows and returns the row number of each line written. */
function writeSheet(xml: string, book: Book, builder: TextBuilder, context: ExtractContext): number[] {
  const numbers: number[] = [];
  let row: { number: number; cells: string[] } | null = null;
  let column = 0;
  let type = "";
  let style = 0;
  let value = "";
  let formula = "";
  let inside = "";
  let lastRow = 0;
  let phonetic = 0;
  walkXml(xml, {
    open(local, attributes) {
      if (local === "row") {
        lastRow = Number(attributes["r"] ?? lastRow + 1) || lastRow + 1;
        row = { number: lastRow, cells: [] };
        column = 0;
      } else if (local === "c") {
        const at = columnOf(attributes["r"] ?? "");
        column = at >= 0 ? at : column;
        type = attributes["t"] ?? "n";
        style = Number(attributes["s"] ?? 0);
        value = "";
        formula = "";
      } else if (local === "rPh") phonetic++;
      else if (local === "v" || local === "f" || local === "t") inside = local;
    },
    text(text) {
      if (inside === "f") formula += text;
      else if (inside !== "" && phonetic === 0) value += text;
    },
    close(local) {
      if (local === "rPh") phonetic--;
      if (local === "v" || local === "f" || local === "t") inside = "";
      else if (local === "c" && row) {
        const shown = display(type, value, formula, style, book);
        if (shown !== "") {
          const gap = column - row.cells.length;
          for (let i = 0; i < Math.min(gap, maxGap); i++) row.cells.push("");
          row.cells.push(shown);
        }
        column++;
      } else if (local === "row" && row) {
        const text = rowText(row.cells);
        if (text.trim() !== "" && !builder.full) {
          builder.add(text).add("\n");
          numbers.push(row.number);
        }
        row = null;
      }
    },
  });
  if (builder.full)
    context.warn({ kind: "cut-short", message: "The sheet is too large to read whole; the text ends early." });
  return numbers;
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}

function display(type: string, value: string, formula: string, style: number, book: Book): string {
  if (type === "s") return book.strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : value === "0" ? "FALSE" : value;
  if (type === "str" || type === "inlineStr" || type === "e") return value;
  if (value === "") return formula === "" ? "" : `=${formula}`;
  if (type === "d") return value.replace("T00:00:00", "");
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const pattern = book.formats[style] ?? "";
  if (pattern === "" || /^general$/i.test(pattern)) return general(number);
  try {
    const shown = format(pattern, book.date1904 && isDatePattern(pattern) ? number + 1462 : number, { throws: true });
    return shown.trim() === "" && !/^;*$/.test(pattern.replace(/"[^"]*"/g, "")) ? general(number) : shown;
  } catch {
    return general(number);
  }
}

/** Excel keeps 15 digits; what binary arithmetic left behind them is not shown. */
function general(number: number): string {
  return String(Number(number.toPrecision(15)));
}

function isDatePattern(pattern: string): boolean {
  return /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ""));
}

/** Words of a part beside the cells (comments, text boxes, charts), a paragraph a line. */
function partWords(xml: string): string {
  const lines: string[] = [];
  let line = "";
  let inText = false;
  walkXml(xml, {
    open(local) {
      inText = local === "t" || local === "v" || local === "text";
    },
    text(text) {
      if (inText) line += text;
    },
    close(local) {
      inText = false;
      if (/^(?:p|v|comment|text|threadedComment|sp)$/.test(local) && line.trim() !== "") {
        lines.push(line.replace(/\s+/g, " ").trim());
        line = "";
      }
    },
  });
  return [...new Set(lines)].join("\n");
}
