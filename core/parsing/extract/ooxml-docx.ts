import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { ListCounter, readNumbering, readStyles, type Styles } from "./docx-lists.ts";
import { coreProperties, relationships } from "./ooxml-package.ts";
import { TextBuilder } from "./text-builder.ts";
import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

/** Word: paragraphs, headings as sections, lists with their numbers, table rows with tabs, text boxes, notes, comments, heads and feet. */
export async function extractDocx(zip: Zip, context: ExtractContext): Promise<Extracted> {
  const main = (await mainPart(zip)) ?? "word/document.xml";
  const folder = main.includes("/") ? main.slice(0, main.lastIndexOf("/")) : "";
  const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const styles = readStyles(await zip.text(at("styles.xml")));
  const lists = new ListCounter(readNumbering(await zip.text(at("numbering.xml"))), styles);
  const builder = new TextBuilder(context.limits.maxTextChars);
  const rels = await relationships(zip, main);
  const heads: string[] = [];
  for (const rel of rels.values()) {
    if (!/\/(header|footer)$/.test(rel.type)) continue;
    const text = partText(await zip.text(rel.target), styles, lists);
    if (text !== "" && !heads.includes(text)) heads.push(text);
  }
  const body = await zip.text(main);
  if (body !== null) new WordWriter(builder, styles, lists, true).walk(body);
  const title = titleStyleText(body, styles);
  for (const [name, label] of [
    ["footnotes.xml", "Footnotes"],
    ["endnotes.xml", "Endnotes"],
    ["comments.xml", "Comments"],
  ] as const) {
    const xml = await zip.text(at(name));
    if (xml === null) continue;
    const notes = readNotes(xml, styles, lists, name === "comments.xml");
    if (notes.length === 0) continue;
    builder.newParagraph().open("section", label, 1).add(`${label}\n`);
    for (const note of notes) builder.add(`${note}\n`);
  }
  if (heads.length > 0) {
    builder.newParagraph().open("section", "Headers and footers", 1).add("Headers and footers\n");
    for (const head of heads) builder.add(`${head}\n`);
  }
  const { text, sections } = builder.finish();
  const metadata = await coreProperties(zip);
  return { format: "docx", text, sections, title: metadata["title"] ?? title, language: null, warnings: [], metadata };
}

async function mainPart(zip: Zip): Promise<string | null> {
  for (const rel of (await relationships(zip, "")).values())
    if (rel.type.endsWith("/officeDocument")) return rel.target;
  return null;
}

function partText(xml: string | null, styles: Styles, lists: ListCounter): string {
  if (xml === null) return "";
  const builder = new TextBuilder();
  new WordWriter(builder, styles, lists, false).walk(xml);
  return builder.finish().text;
}

/** Notes in file order, each as "[id] text"; the separators that Word keeps among them are left out. */
function readNotes(xml: string, styles: Styles, lists: ListCounter, withAuthor: boolean): string[] {
  const notes: string[] = [];
  for (const match of xml.matchAll(/<(?:\w+:)?(footnote|endnote|comment)\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?\1>/g)) {
    const type = /\btype="(\w+)"/.exec(match[2]!)?.[1];
    if (type && type !== "normal") continue;
    const id = /\bid="(-?\d+)"/.exec(match[2]!)?.[1] ?? "";
    const author = withAuthor ? /\bauthor="([^"]*)"/.exec(match[2]!)?.[1] : undefined;
    const text = partText(match[3]!, styles, lists);
    if (text !== "") notes.push(`[${id}] ${author ? `${author}: ` : ""}${text}`);
  }
  return notes;
}

function titleStyleText(xml: string | null, styles: Styles): string | null {
  if (xml === null) return null;
  const titles = [...styles.headingLevel].filter(([, level]) => level === 0).map(([id]) => id);
  for (const id of titles) {
    const at = xml.indexOf(`w:val="${id}"`);
    const end = at < 0 ? -1 : xml.indexOf("</w:p>", at);
    if (end < 0) continue;
    const text = [...xml.slice(at, end).matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)]
      .map((match) => match[1])
      .join("")
      .trim();
    if (text !== "") return text;
  }
  return null;
}

interface Paragraph {
  text: string;
  style: string;
  numId: string | null;
  level: number | null;
  outline: number | null;
}

interface Table {
  cells: string[] | null;
  span: number;
}

/** Writes one part. Paragraphs nest (text boxes) and so do tables (a table in a cell becomes text of the cell). */
class WordWriter {
  readonly #builder: TextBuilder;
  readonly #styles: Styles;
  readonly #lists: ListCounter;
  readonly #sections: boolean;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];
  /** Of the two drawings that Word writes for old and new readers, one is enough. */
  #fallback = 0;
  #skip = 0;
  #inText = 0;

  constructor(builder: TextBuilder, styles: Styles, lists: ListCounter, sections: boolean) {
    this.#builder = builder;
    this.#styles = styles;
    this.#lists = lists;
    this.#sections = sections;
  }

  walk(xml: string): void {
    walkXml(xml, {
      open: (local, attributes, name) => this.#open(local, attributes, name),
      text: (text) => {
        if (this.#inText > 0 && this.#fallback === 0 && this.#skip === 0) this.#say(text);
      },
      close: (local, name) => this.#close(local, name),
    });
  }

  #say(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
    else this.#builder.add(text);
  }

  #open(local: string, attributes: Readonly<Record<string, string>>, name: string): void {
    if (name === "mc:Fallback") this.#fallback++;
    if (this.#fallback > 0) return;
    const paragraph = this.#paragraphs.at(-1);
    const value = () => attribute(attributes, "val") ?? "";
    switch (local) {
      case "p":
        if (name.startsWith("a:") || name.startsWith("w") || name === "p")
          this.#paragraphs.push({ text: "", style: "", numId: null, level: null, outline: null });
        break;
      case "t":
      case "delText":
        if (local === "t") this.#inText++;
        break;
      case "rt":
        this.#say("(");
        break;
      case "tab":
        // Inside paragraph properties the same name sets tab stops.
        if (this.#skip === 0) this.#say("\t");
        break;
      case "pPr":
      case "tabs":
      case "rPr":
        if (local !== "pPr") this.#skip++;
        break;
      case "br":
      case "cr":
        this.#say("\n");
        break;
      case "noBreakHyphen":
        this.#say("-");
        break;
      case "sym": {
        const code = Number.parseInt(attribute(attributes, "char") ?? "", 16);
        if (code > 0 && (code < 0xf000 || code > 0xf0ff)) this.#say(String.fromCodePoint(code));
        break;
      }
      case "footnoteReference":
      case "endnoteReference":
        if (attribute(attributes, "id")) this.#say(`[${attribute(attributes, "id")}]`);
        break;
      case "pStyle":
        if (paragraph) paragraph.style = value();
        break;
      case "numId":
        if (paragraph) paragraph.numId = value();
        break;
      case "ilvl":
        if (paragraph) paragraph.level = Number(value()) || 0;
        break;
      case "outlineLvl":
        if (paragraph) paragraph.outline = Number(value());
        break;
      case "tbl":
        this.#tables.push({ cells: null, span: 1 });
        break;
      case "tr":
        if (this.#tables.length > 0 && this.#paragraphs.length === 0) this.#tables.at(-1)!.cells = [];
        else if (this.#tables.length > 0) this.#tables.at(-1)!.cells ??= [];
        break;
      case "tc":
        this.#tables.at(-1)?.cells?.push("");
        break;
      case "instrText":
        this.#skip++;
        break;
      default:
        break;
    }
  }

  #close(local: string, name: string): void {
    if (name === "mc:Fallback") {
      this.#fallback = Math.max(0, this.#fallback - 1);
      return;
    }
    if (this.#fallback > 0) return;
    if (local === "t") this.#inText = Math.max(0, this.#inText - 1);
    else if (local === "rt") {
      this.#say(")");
    } else if (local === "tabs" || local === "rPr" || local === "instrText") this.#skip = Math.max(0, this.#skip - 1);
    else if (local === "p" && (name.startsWith("a:") || name.startsWith("w") || name === "p")) this.#endParagraph();
    else if (local === "tr") this.#endRow();
    else if (local === "tbl") {
      this.#tables.pop();
      if (this.#tables.length === 0 && this.#paragraphs.length === 0) this.#builder.newParagraph();
    }
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const text = paragraph.text.replace(/[ \t]+$/gm, "");
    // A paragraph inside another is a text box anchored there: its words come first, on a line of their own.
    const outer = this.#paragraphs.at(-1);
    if (outer) {
      if (text.trim() !== "")
        outer.text += outer.text === "" || outer.text.endsWith("\n") ? `${text}\n` : `\n${text}\n`;
      return;
    }
    const mark = this.#lists.mark(paragraph.style, paragraph.numId, paragraph.level);
    const cells = this.#tables.at(-1)?.cells;
    if (cells && cells.length > 0) {
      const last = cells.length - 1;
      const piece = `${mark.trimStart()}${text}`.replace(/\s+/g, " ").trim();
      if (piece !== "") cells[last] = cells[last] === "" ? piece : `${cells[last]} ${piece}`;
      return;
    }
    if (text.trim() === "") {
      if (this.#builder.length > 0) this.#builder.newLine();
      return;
    }
    const level = this.#headingLevel(paragraph);
    if (level !== null && this.#sections) {
      this.#builder.newParagraph().open("section", `${mark}${text}`.replace(/\s+/g, " ").trim(), level);
    }
    this.#builder.newLine().add(`${mark}${text}`).newLine();
  }

  #headingLevel(paragraph: Paragraph): number | null {
    if (paragraph.outline !== null && paragraph.outline < 9) return paragraph.outline + 1;
    const level = this.#styles.headingLevel.get(paragraph.style);
    if (level !== undefined) return Math.max(1, level);
    const named = /^Heading(\d)$/i.exec(paragraph.style);
    return named ? Number(named[1]) : null;
  }

  #endRow(): void {
    const table = this.#tables.at(-1);
    const cells = table?.cells;
    if (!table || !cells) return;
    table.cells = null;
    const row = cells.join("\t").replace(/\t+$/, "");
    const outer = this.#tables.at(-2)?.cells;
    if (outer && outer.length > 0) {
      const inside = row.replaceAll("\t", " | ");
      const last = outer.length - 1;
      if (inside !== "") outer[last] = outer[last] === "" ? inside : `${outer[last]}; ${inside}`;
    } else if (row.trim() !== "") this.#builder.newLine().add(row).newLine();
  }
}
