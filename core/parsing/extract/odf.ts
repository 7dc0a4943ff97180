import { CredenceError } from "../../contract/index.ts";
import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { simpleProperties } from "./ooxml-package.ts";
import { maxGap, rowText } from "./rows.ts";
import { TextBuilder } from "./text-builder.ts";
import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

export type OdfKind = "odt" | "ods" | "odp";

const metaNames = {
  title: "title",
  creator: "author",
  "initial-creator": "author",
  subject: "subject",
  keyword: "keywords",
  description: "description",
  "creation-date": "created",
  date: "modified",
  language: "language",
};

/** OpenDocument text, sheets and slides, packed in a zip. */
export async function extractOdf(zip: Zip, kind: OdfKind, context: ExtractContext): Promise<Extracted> {
  const manifest = await zip.text("META-INF/manifest.xml");
  if (manifest?.includes("encryption-data")) throw new CredenceError("documents.encrypted", { format: "OpenDocument" });
  const content = await zip.text("content.xml");
  if (content === null) throw new CredenceError("documents.damaged", { format: "OpenDocument" });
  return readOdf(content, (await zip.text("meta.xml")) ?? "", kind, context, await zip.text("styles.xml"));
}

/** The same from XML: flat OpenDocument files hold everything in one. */
export function readOdf(
  content: string,
  meta: string,
  kind: OdfKind,
  context: ExtractContext,
  styles: string | null = null,
): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const writer = new OdfWriter(builder, kind);
  writer.walk(content);
  const heads = styles === null || kind !== "odt" ? [] : headsOf(styles);
  if (heads.length > 0)
    builder
      .newParagraph()
      .open("section", "Headers and footers", 1)
      .add(`Headers and footers\n${heads.join("\n")}`);
  const { text, sections } = builder.finish();
  const metadata = simpleProperties(meta, metaNames);
  return {
    format: kind,
    text,
    sections: sections.map((section) => {
      const rows = writer.rows.get(section.number ?? -1);
      return section.kind === "sheet" && rows ? { ...section, rows } : section;
    }),
    title: metadata["title"] ?? null,
    language: null,
    warnings: [],
    metadata,
  };
}

function headsOf(styles: string): string[] {
  const lines = new Set<string>();
  for (const match of styles.matchAll(
    /<style:(header|footer)(?:-left|-first)?>([\s\S]*?)<\/style:\1(?:-left|-first)?>/g,
  )) {
    const builder = new TextBuilder();
    new OdfWriter(builder, "odt").walk(match[2]!);
    for (const line of builder.finish().text.split("\n")) if (line.trim() !== "") lines.add(line.trim());
  }
  return [...lines];
}

class OdfWriter {
  readonly #builder: TextBuilder;
  readonly #kind: OdfKind;
  /** Row numbers by sheet. */
  readonly rows = new Map<number, number[]>();
  readonly #paragraphs: string[] = [];
  readonly #notes: { label: string; lines: string[] }[] = [];
  readonly #tables: { cells: string[]; cell: string[] | null; repeat: number; rowRepeat: number; rowNumber: number }[] =
    [];
  readonly #lists: { ordered: boolean; count: number }[] = [];
  #skip = 0;
  #sheet = 0;
  #slide = 0;
  #mark = "";
  #heading = 0;
  #inNotes = false;

  constructor(builder: TextBuilder, kind: OdfKind) {
    this.#builder = builder;
    this.#kind = kind;
  }

  walk(xml: string): void {
    walkXml(xml, {
      open: (local, attributes, name) => this.#open(local, attributes, name),
      text: (text) => {
        if (this.#skip === 0 && this.#paragraphs.length > 0) this.#say(text.replace(/[\t\r\n ]+/g, " "));
      },
      close: (local, name) => this.#close(local, name),
    });
  }

  #say(text: string): void {
    if (this.#paragraphs.length > 0) this.#paragraphs[this.#paragraphs.length - 1] += text;
  }

  #open(local: string, attributes: Readonly<Record<string, string>>, name: string): void {
    if (
      /^(?:text:(?:tracked-changes|sequence-decls|variable-decls|user-field-decls|note-citation|index-title-template|ruby-text)|office:(?:meta|styles|automatic-styles|font-face-decls|scripts|settings|binary-data)|table:(?:tracked-changes|content-validations)|dc:creator|dc:date|svg:title|svg:desc)$/.test(
        name,
      )
    ) {
      this.#skip++;
      return;
    }
    if (this.#skip > 0) return;
    const repeated = (key: string) => Math.max(1, Number(attribute(attributes, key) ?? 1) || 1);
    if (name === "text:p" || name === "text:h") {
      this.#paragraphs.push("");
      this.#heading = name === "text:h" ? Number(attribute(attributes, "outline-level") ?? 1) || 1 : 0;
    } else if (name === "text:s") this.#say(" ".repeat(Math.min(200, repeated("c"))));
    else if (name === "text:tab") this.#say("\t");
    else if (name === "text:line-break") this.#say("\n");
    else if (name === "text:note") this.#notes.push({ label: "", lines: [] });
    else if (name === "office:annotation") this.#notes.push({ label: "Comment: ", lines: [] });
    else if (name === "text:list") this.#lists.push({ ordered: false, count: 0 });
    else if (name === "text:list-item") {
      this.#mark = `${"  ".repeat(Math.max(0, this.#lists.length - 1))}- `;
    } else if (name === "table:table") this.#openTable(attributes);
    else if (name === "table:table-row") {
      const table = this.#tables.at(-1);
      if (table) {
        table.cells = [];
        table.rowRepeat = repeated("number-rows-repeated");
      }
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
      const table = this.#tables.at(-1);
      if (table) {
        table.cell = [];
        table.repeat = repeated("number-columns-repeated");
      }
    } else if (name === "draw:page") {
      this.#slide++;
      this.#builder.newParagraph().open("slide", null, 1, this.#slide);
    } else if (name === "presentation:notes") this.#inNotes = true;
    void local;
  }

  #openTable(attributes: Readonly<Record<string, string>>): void {
    this.#tables.push({ cells: [], cell: null, repeat: 1, rowRepeat: 1, rowNumber: 0 });
    if (this.#kind !== "ods" || this.#tables.length > 1) return;
    this.#sheet++;
    this.rows.set(this.#sheet, []);
    this.#builder.newParagraph().open("sheet", attribute(attributes, "name") ?? `Sheet ${this.#sheet}`, 1, this.#sheet);
  }

  #close(_local: string, name: string): void {
    if (this.#skip > 0) {
      if (
        /^(?:text:(?:tracked-changes|sequence-decls|variable-decls|user-field-decls|note-citation|index-title-template|ruby-text)|office:(?:meta|styles|automatic-styles|font-face-decls|scripts|settings|binary-data)|table:(?:tracked-changes|content-validations)|dc:creator|dc:date|svg:title|svg:desc)$/.test(
          name,
        )
      )
        this.#skip--;
      return;
    }
    if (name === "text:p" || name === "text:h") this.#endParagraph();
    else if (name === "text:note" || name === "office:annotation") {
      const note = this.#notes.pop();
      const text = note?.lines.join(" ").trim();
      if (note && text) {
        if (this.#paragraphs.length > 0) this.#say(` [${note.label}${text}]`);
        else this.#line(`[${note.label}${text}]`);
      }
    } else if (name === "text:list") this.#lists.pop();
    else if (name === "text:list-item") this.#mark = "";
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#endCell();
    else if (name === "table:table-row") this.#endRow();
    else if (name === "table:table") {
      this.#tables.pop();
      if (this.#tables.length === 0) this.#builder.newParagraph();
    } else if (name === "presentation:notes") this.#inNotes = false;
  }

  #endParagraph(): void {
    const text = (this.#paragraphs.pop() ?? "")
      .replace(/ +$/gm, "")
      .replace(/^ +(?=\S)/, (spaces) => (spaces.length > 1 ? spaces : ""));
    const note = this.#notes.at(-1);
    if (note) {
      if (text.trim() !== "") note.lines.push(text.trim());
      return;
    }
    if (this.#paragraphs.length > 0) {
      if (text.trim() !== "") this.#say(` ${text.trim()} `);
      return;
    }
    const cell = this.#tables.at(-1)?.cell;
    if (cell) {
      if (text.trim() !== "") cell.push(text.trim());
      return;
    }
    if (text.trim() === "") return;
    if (this.#heading > 0 && !this.#inNotes)
      this.#builder.newParagraph().open("section", text.replace(/\s+/g, " ").trim(), this.#heading);
    this.#line(this.#mark + text);
    this.#mark = this.#mark.replace("- ", "  ");
    this.#heading = 0;
  }

  #line(text: string): void {
    this.#builder
      .newLine()
      .add(this.#inNotes ? `Notes: ${text}` : text)
      .newLine();
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    if (!table?.cell) return;
    const text = table.cell.join(" ");
    table.cell = null;
    const count = Math.min(table.repeat, text === "" ? maxGap : 1024);
    for (let i = 0; i < count; i++) table.cells.push(text);
  }

  #endRow(): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    const row = rowText(table.cells);
    const outer = this.#tables.at(-2)?.cell;
    if (row.trim() === "") {
      table.rowNumber += table.rowRepeat;
      return;
    }
    if (outer) {
      outer.push(row.replaceAll("\t", " | "));
      return;
    }
    for (let i = 0; i < Math.min(table.rowRepeat, 1000); i++) {
      table.rowNumber++;
      this.#builder.newLine().add(row).newLine();
      if (this.#kind === "ods") this.rows.get(this.#sheet)?.push(table.rowNumber);
    }
  }
}
