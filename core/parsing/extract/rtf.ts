import iconv from "iconv-lite";
import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { TextBuilder } from "./text-builder.ts";

interface Group {
  /** Content of this group is not text. */
  skip: boolean;
  hidden: boolean;
  unicodeSkip: number;
  charset: string;
  info: string | null;
}

/** Destinations whose content is not text of the document. */
const silent = new Set(
  "fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator pict object objdata themedata colorschememapping latentstyles datastore xmlnstbl filetbl fldinst mmathPr pgptbl wgrffmtfilter bkmkstart bkmkend template listtext pntext shppict nonshppict blipuid levelnumbers leveltext falt panose fname atnid atnref atndate atrfstart atrfend private passwordhash userprops docvar revauth defchp defpap".split(
    " ",
  ),
);
const kept = new Set(["listtext", "pntext", "shppict"]);
const characters: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n\n",
  page: "\n\n",
  column: "\n",
  tab: "\t",
  cell: "\t",
  nestcell: " | ",
  row: "\n",
  nestrow: "; ",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
};
const fontCharsets: Readonly<Record<number, string>> = {
  0: "windows-1252",
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gb18030",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
  255: "cp437",
};

/** Rich Text: paragraphs, table rows with tabs, notes in brackets; characters by code page, font or Unicode. */
export function extractRtf(bytes: Buffer, context: ExtractContext): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const info: Record<string, string> = {};
  const reader = new RtfReader(bytes, builder, info);
  reader.read();
  const { text } = builder.finish();
  const tidy = text.replace(/\t+\n/g, "\n");
  return {
    format: "rtf",
    text: tidy,
    sections: [],
    title: info["title"] ?? null,
    language: null,
    warnings: [],
    metadata: info,
  };
}

class RtfReader {
  readonly #bytes: Buffer;
  readonly #builder: TextBuilder;
  readonly #info: Record<string, string>;
  readonly #stack: Group[] = [];
  readonly #fonts = new Map<number, string>();
  #group: Group = { skip: false, hidden: false, unicodeSkip: 1, charset: "windows-1252", info: null };
  #at = 0;
  #pending: number[] = [];
  #skipCharacters = 0;
  #inFonts = 0;
  #font = 0;
  #star = false;
  #highSurrogate = 0;

  constructor(bytes: Buffer, builder: TextBuilder, info: Record<string, string>) {
    this.#bytes = bytes;
    this.#builder = builder;
    this.#info = info;
  }

  read(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && !this.#builder.full) {
      const byte = bytes[this.#at]!;
      if (byte === 0x7b) {
        this.#flush();
        this.#stack.push({ ...this.#group });
        if (this.#stack.length > 5000) return;
        this.#at++;
      } else if (byte === 0x7d) {
        this.#flush();
        this.#closeGroup();
        this.#at++;
      } else if (byte === 0x5c) this.#control();
      else {
        this.#at++;
        if (byte !== 10 && byte !== 13 && byte !== 0) this.#byte(byte);
      }
    }
    this.#flush();
  }

  #closeGroup(): void {
    const inside = this.#group;
    this.#group = this.#stack.pop() ?? this.#group;
    if (this.#stack.length < this.#inFonts) this.#inFonts = 0;
    if (inside.info?.startsWith("note") && !this.#group.info?.startsWith("note")) this.#builder.add("]");
    this.#skipCharacters = 0;
  }

  #control(): void {
    const bytes = this.#bytes;
    const next = bytes[this.#at + 1];
    if (next === undefined) {
      this.#at++;
      return;
    }
    if (next === 0x27) {
      const code = Number.parseInt(bytes.toString("latin1", this.#at + 2, this.#at + 4), 16);
      this.#at += 4;
      if (!Number.isNaN(code)) this.#byte(code);
      return;
    }
    if (!isLetter(next)) {
      this.#at += 2;
      if (next === 0x2a) this.#star = true;
      else if (next === 0x7e) this.#byte(0x20);
      else if (next === 0x5f) this.#byte(0x2d);
      else if (next === 0x5c || next === 0x7b || next === 0x7d) this.#byte(next);
      else if (next === 10 || next === 13) this.#say("\n");
      return;
    }
    let end = this.#at + 1;
    while (end < bytes.length && isLetter(bytes[end]!)) end++;
    const word = bytes.toString("latin1", this.#at + 1, end);
    let number: number | null = null;
    const start = end;
    if (bytes[end] === 0x2d) end++;
    while (end < bytes.length && bytes[end]! >= 0x30 && bytes[end]! <= 0x39) end++;
    if (end > start) number = Number(bytes.toString("latin1", start, end));
    if (bytes[end] === 0x20) end++;
    this.#at = end;
    this.#word(word, number);
  }

  #word(word: string, number: number | null): void {
    if (word === "bin") {
      this.#at += Math.max(0, number ?? 0);
      return;
    }
    if (word !== "u") this.#flush();
    const star = this.#star;
    this.#star = false;
    const group = this.#group;
    if (word === "u") {
      this.#unicode(number ?? 0);
      return;
    }
    if (word === "uc") group.unicodeSkip = number ?? 1;
    else if (word === "ansicpg" && number)
      group.charset = iconv.encodingExists(`cp${number}`) ? `cp${number}` : group.charset;
    else if (word === "mac") group.charset = "macintosh";
    else if (word === "pc") group.charset = "cp437";
    else if (word === "fonttbl") {
      this.#inFonts = this.#stack.length;
      group.skip = true;
    } else if (word === "f") {
      this.#font = number ?? 0;
      if (this.#inFonts === 0) group.charset = this.#fonts.get(this.#font) ?? group.charset;
    } else if (word === "fcharset" && this.#inFonts > 0 && number !== null) {
      const charset = fontCharsets[number];
      // Charset 0 and 1 mean "as the document says".
      if (charset && number > 1) this.#fonts.set(this.#font, charset);
    } else if (word === "v") group.hidden = number !== 0;
    else if (word === "plain") group.hidden = false;
    else if (word === "deleted") group.hidden = number !== 0;
    else if (word === "footnote" || word === "annotation") {
      if (!group.skip) this.#builder.add(" [");
      group.info = "note";
    } else if (word === "info") group.info = "info";
    else if (group.info === "info" && /^(?:title|author|subject|keywords|doccomm)$/.test(word))
      group.info = `info:${word}`;
    else if (group.info === "info") group.skip = true;
    else if (silent.has(word) && !kept.has(word)) group.skip = true;
    else if (star && !/^(?:shppict|listtext|pntext|shpinst|shptxt|fldrslt|cs|ud)$/.test(word)) group.skip = true;
    else if (word === "upr") group.info = group.info ?? "upr";
    else {
      const text = characters[word];
      if (text !== undefined) this.#say(text);
    }
  }

  #unicode(number: number): void {
    this.#flush();
    const code = number < 0 ? number + 65_536 : number;
    this.#skipCharacters = this.#group.unicodeSkip;
    if (code >= 0xd800 && code < 0xdc00) {
      this.#highSurrogate = code;
      return;
    }
    const character =
      this.#highSurrogate && code >= 0xdc00 && code < 0xe000
        ? String.fromCharCode(this.#highSurrogate, code)
        : String.fromCharCode(code);
    this.#highSurrogate = 0;
    if (code < 0xd800 || code > 0xdfff || character.length === 2) this.#say(character);
  }

  #byte(byte: number): void {
    if (this.#skipCharacters > 0) {
      this.#skipCharacters--;
      return;
    }
    this.#pending.push(byte);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(this.#pending);
    this.#pending = [];
    this.#say(iconv.decode(bytes, this.#group.charset));
  }

  #say(text: string): void {
    const { skip, hidden, info } = this.#group;
    if (info?.startsWith("info:")) {
      const key = info.slice(5);
      this.#info[key] = (this.#info[key] ?? "") + text;
    } else if (!skip && !hidden && info !== "info") this.#builder.add(text);
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}
