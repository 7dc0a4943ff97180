import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";
import type { TextBuilder } from "./text-builder.ts";

const blocks = new Set(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody tfoot thead tr ul caption option select textarea title".split(
    " ",
  ),
);
const apart = new Set("h1 h2 h3 h4 h5 h6 p blockquote pre table ul ol dl figure".split(" "));
const silent = new Set(
  "script style template head noembed noframes iframe object applet datalist math svg audio video canvas".split(" "),
);

export interface HtmlFacts {
  title: string | null;
  language: string | null;
  readonly meta: Record<string, string>;
}

export interface HtmlOptions {
  /** Added to every heading's level: nested pages keep their place in the outline. */
  readonly levelOffset?: number;
  readonly headings?: boolean;
}

/**
 * Writes the visible text of a page: paragraphs apart, table rows on one line with tabs between cells, lists with
 * their marks, preformatted text as it stands, headings as sections. Scripts, styles and what is hidden stay out.
 */
export function writeHtml(html: string, builder: TextBuilder, options: HtmlOptions = {}): HtmlFacts {
  const facts: HtmlFacts = { title: null, language: null, meta: {} };
  const writer = new HtmlWriter(builder, options, facts);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      ontext: (text) => writer.text(text),
      onclosetag: (name) => writer.close(name),
    },
    { decodeEntities: true, recognizeSelfClosing: true, lowerCaseTags: true, recognizeCDATA: true },
  );
  for (let at = 0; at < html.length; at += 16_384) {
    if (writer.depth > maxOpenElements) {
      // The parser's work grows with the square of the depth; what is nested beyond all sense is read without structure.
      parser.end();
      const tag = html.lastIndexOf("<", at - 1);
      writer.rest(html.slice(tag > html.lastIndexOf(">", at - 1) ? tag : at));
      return facts;
    }
    parser.write(html.slice(at, at + 16_384));
  }
  parser.end();
  return facts;
}

const maxOpenElements = 3000;

interface Heading {
  level: number;
  text: string;
}

class HtmlWriter {
  readonly #builder: TextBuilder;
  readonly #options: HtmlOptions;
  readonly #facts: HtmlFacts;
  /** Names of open elements that silence their content. */
  readonly #silent: string[] = [];
  readonly #lists: { ordered: boolean; count: number }[] = [];
  #pre = 0;
  #space = false;
  #cells: string[] | null = null;
  #tableDepth = 0;
  #inTitle = false;
  #heading: Heading | null = null;
  #mark = "";

  constructor(builder: TextBuilder, options: HtmlOptions, facts: HtmlFacts) {
    this.#builder = builder;
    this.#options = options;
    this.#facts = facts;
  }

  /** Elements open now, silent ones included. */
  depth = 0;

  /** Adds the words of markup without looking at its structure. */
  rest(html: string): void {
    const bare = html.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<[^>]*>/g, "\n");
    for (const line of decodeHTML(bare).split(/\n+/)) if (line.trim() !== "") this.#builder.newLine().add(line.trim());
  }

  open(name: string, attributes: Record<string, string>): void {
    if (!voids.has(name)) this.depth++;
    if (name === "html" && attributes["lang"]) this.#facts.language = attributes["lang"];
    if (name === "meta") this.#meta(attributes);
    if (name === "title" && (this.#silent.length === 0 || this.#silent.every((entry) => entry === "head"))) {
      this.#inTitle = this.#facts.title === null;
      if (this.#inTitle) this.#facts.title = "";
    }
    if (name === "body" && this.#silent.at(-1) === "head") this.#silent.pop();
    if (silent.has(name) || isHidden(name, attributes)) {
      if (!voids.has(name)) this.#silent.push(name);
      return;
    }
    if (this.#silent.length > 0) {
      // Something of the same name inside a silenced element must not end the silence with its own end.
      if (this.#silent.at(-1) === name) this.#silent.push(name);
      return;
    }
    if (name === "br") this.#lineBreak();
    else if (name === "hr") this.#block(true);
    else if (name === "td" || name === "th") this.#space = false;
    else if (name === "input" && /^(?:text|search|email|url|tel|number|date)?$/.test(attributes["type"] ?? ""))
      this.text(attributes["value"] ?? "");
    if (name === "tr" && this.#tableDepth <= 1) {
      this.#block(false);
      this.#cells = [];
    } else if ((name === "td" || name === "th") && this.#cells) this.#cells.push("");
    else if (blocks.has(name)) this.#block(apart.has(name) && this.#lists.length === 0);
    if (name === "table") this.#tableDepth++;
    if (name === "pre" || name === "textarea") this.#pre++;
    if (name === "ul" || name === "ol")
      this.#lists.push({ ordered: name === "ol", count: Number(attributes["start"] ?? 1) - 1 || 0 });
    if (name === "li") {
      const list = this.#lists.at(-1);
      if (list) list.count++;
      this.#mark = `${"  ".repeat(Math.max(0, this.#lists.length - 1))}${list?.ordered ? `${list.count}. ` : "- "}`;
    }
    const heading = /^h([1-6])$/.exec(name);
    if (heading && !this.#cells) this.#heading = { level: Number(heading[1]), text: "" };
    if (name === "q") this.text("“");
  }

  text(text: string): void {
    if (this.#inTitle) {
      this.#facts.title += text;
      return;
    }
    if (this.#silent.length > 0) return;
    if (this.#pre > 0 && !this.#cells) {
      this.#write(text.replace(/\r\n?/g, "\n"));
      return;
    }
    const pieces = text.replace(/\u00ad|\u200b/g, "").split(/[ \t\r\n\f]+/);
    pieces.forEach((piece, i) => {
      if (i > 0) this.#space = true;
      if (piece !== "") this.#write(piece);
    });
  }

  close(name: string): void {
    if (!voids.has(name)) this.depth--;
    if (name === "title") {
      this.#inTitle = false;
      if (this.#facts.title !== null) this.#facts.title = this.#facts.title.replace(/\s+/g, " ").trim() || null;
    }
    if (this.#silent.length > 0) {
      if (this.#silent.at(-1) === name) this.#silent.pop();
      return;
    }
    if (name === "q") this.#write("”");
    if (name === "table") this.#tableDepth = Math.max(0, this.#tableDepth - 1);
    if (name === "tr" && this.#tableDepth <= 1) this.#endRow();
    if (name === "pre" || name === "textarea") this.#pre = Math.max(0, this.#pre - 1);
    if (name === "ul" || name === "ol") this.#lists.pop();
    if (/^h[1-6]$/.test(name) && this.#heading) this.#endHeading(this.#heading);
    if (blocks.has(name) && name !== "tr") this.#block(apart.has(name) && this.#lists.length === 0);
  }

  #meta(attributes: Record<string, string>): void {
    const key = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase();
    const value = attributes["content"]?.trim();
    if (
      value &&
      /^(author|description|keywords|date|article:published_time|og:title|dc\.(title|creator|date))$/.test(key)
    ) {
      this.#facts.meta[key] = value;
    }
  }

  #write(text: string): void {
    const spaced = this.#space ? ` ${text}` : text;
    this.#space = false;
    if (this.#cells && this.#cells.length > 0) {
      this.#cells[this.#cells.length - 1] += spaced.replace(/\s+/g, " ");
      return;
    }
    if (this.#heading) {
      this.#heading.text += spaced;
      return;
    }
    if (this.#mark !== "") {
      this.#builder.add(this.#mark);
      this.#mark = "";
      this.#builder.add(spaced.trimStart());
      this.#written = true;
      return;
    }
    this.#builder.add(this.#atLineStart() && this.#pre === 0 ? spaced.trimStart() : spaced);
    this.#written = true;
  }

  #written = false;

  #atLineStart(): boolean {
    return !this.#written;
  }

  #lineBreak(): void {
    this.#space = false;
    if (this.#cells && this.#cells.length > 0) {
      this.#space = true;
      return;
    }
    if (this.#heading) {
      this.#heading.text += " ";
      return;
    }
    this.#builder.add("\n");
    this.#written = false;
  }

  #block(paragraph: boolean): void {
    this.#space = false;
    if (this.#cells && this.#cells.length > 0) {
      this.#space = this.#cells.at(-1) !== "";
      return;
    }
    if (this.#heading) {
      if (this.#heading.text !== "") this.#space = true;
      return;
    }
    if (paragraph) this.#builder.newParagraph();
    else this.#builder.newLine();
    this.#written = false;
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = null;
    this.#space = false;
    if (!cells) return;
    const row = cells
      .map((cell) => cell.trim())
      .join("\t")
      .replace(/\t+$/, "");
    if (row.trim() !== "") this.#builder.newLine().add(row).newLine();
    this.#written = false;
  }

  #endHeading(heading: Heading): void {
    this.#heading = null;
    this.#space = false;
    this.#written = false;
    const title = heading.text.replace(/\s+/g, " ").trim();
    if (title === "") return;
    this.#builder.newParagraph();
    if (this.#options.headings !== false)
      this.#builder.open("section", title, heading.level + (this.#options.levelOffset ?? 0));
    this.#builder.add(title).newLine();
  }
}

const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

function isHidden(name: string, attributes: Record<string, string>): boolean {
  if (name === "input") return attributes["type"] === "hidden";
  if ("hidden" in attributes && attributes["hidden"] !== "until-found") return true;
  const style = attributes["style"];
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
