import { CredenceError } from "../../contract/index.ts";
import type { Zip } from "./zip.ts";

export type ZipFormat = "docx" | "pptx" | "xlsx" | "odt" | "ods" | "odp" | "epub" | "zip";

const startsWith = (bytes: Buffer, text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;

export function isPdf(bytes: Buffer): boolean {
  // Readers accept the mark anywhere in the first kilobyte, and files with junk in front exist.
  const at = bytes.subarray(0, 4096).indexOf("%PDF-");
  return at >= 0 || startsWith(bytes, "%!PS-Adobe-3.0 PDF");
}

export function isRtf(bytes: Buffer): boolean {
  return /^\s*\{\\rtf/.test(bytes.toString("latin1", 0, 64));
}

export function isZip(bytes: Buffer): boolean {
  return startsWith(bytes, "PK\x03\x04") || startsWith(bytes, "PK\x05\x06") || startsWith(bytes, "PK\x07\x08PK");
}

/** What a zip is, by the parts inside it. */
export async function zipFormat(zip: Zip): Promise<ZipFormat> {
  const mime = ((await zip.text("mimetype").catch(() => null)) ?? "").trim();
  if (mime.startsWith("application/epub")) return "epub";
  const odf = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)/.exec(mime);
  if (odf) return odf[1] === "text" ? "odt" : odf[1] === "spreadsheet" ? "ods" : "odp";
  const types = zip.has("[Content_Types].xml") || zip.has("_rels/.rels");
  if (types) {
    const names = zip.names;
    if (
      names.some((name) => /^word\/|(?:^|\/)document\d*\.xml$/.test(name)) &&
      !names.some((name) => /^(?:ppt|xl)\//.test(name))
    )
      return "docx";
    if (names.some((name) => /^ppt\//.test(name))) return "pptx";
    if (names.some((name) => name === "xl/workbook.bin")) {
      throw new CredenceError("documents.old-office", { found: "a binary Excel workbook (.xlsb)", saveAs: ".xlsx" });
    }
    if (names.some((name) => /^xl\//.test(name) || /(?:^|\/)workbook\.xml$/.test(name))) return "xlsx";
    const content = (await zip.text("[Content_Types].xml").catch(() => null)) ?? "";
    if (/wordprocessingml/.test(content)) return "docx";
    if (/presentationml/.test(content)) return "pptx";
    if (/spreadsheetml/.test(content)) return "xlsx";
  }
  if (zip.has("META-INF/container.xml") && zip.names.some((name) => name.endsWith(".opf"))) return "epub";
  if (zip.has("content.xml") && zip.has("META-INF/manifest.xml")) {
    const content = (await zip.text("content.xml")) ?? "";
    return content.includes("<office:spreadsheet") ? "ods" : content.includes("<office:presentation") ? "odp" : "odt";
  }
  return "zip";
}

/** Throws for the old compound files of Office: what they are, and what to save instead. */
export function refuseCompound(bytes: Buffer): void {
  if (!startsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return;
  const has = (name: string) => bytes.includes(Buffer.from(name, "utf16le"));
  if (has("EncryptedPackage") || has("EncryptionInfo"))
    throw new CredenceError("documents.encrypted", { format: "Office" });
  if (has("WordDocument"))
    throw new CredenceError("documents.old-office", { found: "an old Word document (.doc)", saveAs: ".docx" });
  if (has("Workbook") || has("Book"))
    throw new CredenceError("documents.old-office", { found: "an old Excel workbook (.xls)", saveAs: ".xlsx" });
  if (has("PowerPoint Document"))
    throw new CredenceError("documents.old-office", { found: "an old PowerPoint file (.ppt)", saveAs: ".pptx" });
  if (has("__properties_version1.0"))
    throw new CredenceError("documents.old-office", { found: "an Outlook message (.msg)", saveAs: ".eml" });
  throw new CredenceError("documents.unsupported", { found: "this old Office file" });
}

const kinds: readonly { readonly mark: string; readonly at?: number; readonly found: string }[] = [
  { mark: "\x89PNG", found: "pictures (this is a PNG)" },
  { mark: "\xff\xd8\xff", found: "pictures (this is a JPEG)" },
  { mark: "GIF8", found: "pictures (this is a GIF)" },
  { mark: "BM", found: "pictures (this is a bitmap)" },
  { mark: "II*\0", found: "pictures (this is a TIFF)" },
  { mark: "MM\0*", found: "pictures (this is a TIFF)" },
  { mark: "WEBP", at: 8, found: "pictures (this is a WebP)" },
  { mark: "ftyp", at: 4, found: "film, sound or HEIF pictures" },
  { mark: "RIFF", found: "sound or film" },
  { mark: "ID3", found: "sound (this is an MP3)" },
  { mark: "OggS", found: "sound or film (this is Ogg)" },
  { mark: "fLaC", found: "sound (this is FLAC)" },
  { mark: "\x1aE\xdf\xa3", found: "film (this is Matroska)" },
  { mark: "\x7fELF", found: "programs" },
  { mark: "MZ", found: "programs" },
  { mark: "\xca\xfe\xba\xbe", found: "programs" },
  { mark: "\0asm", found: "programs" },
  { mark: "SQLite format 3\0", found: "databases" },
  { mark: "7z\xbc\xaf", found: "7z archives (zip is read)" },
  { mark: "Rar!", found: "RAR archives (zip is read)" },
  { mark: "\x1f\x8b", found: "gzip archives (zip is read)" },
  { mark: "BZh", found: "bzip2 archives (zip is read)" },
  { mark: "\xfd7zXZ", found: "xz archives (zip is read)" },
  { mark: "(\xb5/\xfd", found: "zstd archives (zip is read)" },
  { mark: "ustar", at: 257, found: "tar archives (zip is read)" },
  { mark: "wOFF", found: "fonts" },
  { mark: "wOF2", found: "fonts" },
  { mark: "OTTO", found: "fonts" },
  { mark: "%!PS", found: "PostScript (PDF is read)" },
  { mark: "GGUF", found: "language models as documents; import it on the Models screen" },
];

/** Throws `documents.unsupported` for bytes that are known not to be text, or plainly are not. */
export function refuseBinary(bytes: Buffer): void {
  for (const { mark, at = 0, found } of kinds) {
    // Two letters alone can start a text; a program or bitmap has other than text right behind them.
    if (startsWith(bytes, mark, at) && (mark.length > 2 || controlShare(bytes.subarray(0, 512)) > 0.02)) {
      throw new CredenceError("documents.unsupported", { found });
    }
  }
}

/** Share of bytes that no text in an 8-bit charset or UTF-8 has. */
export function controlShare(bytes: Buffer): number {
  let odd = 0;
  for (const byte of bytes)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27 && byte !== 0x1a) odd++;
  return bytes.length === 0 ? 0 : odd / bytes.length;
}

export type TextFormat =
  | "html"
  | "mhtml"
  | "eml"
  | "mbox"
  | "vtt"
  | "srt"
  | "xml"
  | "json"
  | "ipynb"
  | "markdown"
  | "csv"
  | "code"
  | "txt"
  | "fodf";

const headerLine = /^[A-Za-z][A-Za-z0-9-]*:[ \t]?.*$/;
const mailHeaders =
  /^(?:received|from|to|cc|subject|date|message-id|mime-version|return-path|delivered-to|content-type|reply-to|x-[\w-]+|snapshot-content-location)$/i;

/** What mail-like text is, by its header lines. */
export function mailFormat(head: string): "eml" | "mbox" | "mhtml" | null {
  const text = head.replace(/\r\n?/g, "\n").replace(/^\s+/, "");
  const isBox = /^From \S+.*\d{4}\s*\n/.test(text) || /^From [^\n]*\n(?:[A-Za-z-]+: )/.test(text);
  const headers = new Map<string, string>();
  const lines = (isBox ? text.slice(text.indexOf("\n") + 1) : text).split("\n");
  let last = "";
  for (const line of lines.slice(0, 200)) {
    if (line === "") break;
    if (/^[ \t]/.test(line) && last !== "") {
      headers.set(last, `${headers.get(last)} ${line.trim()}`);
      continue;
    }
    if (!headerLine.test(line)) return null;
    last = line.slice(0, line.indexOf(":")).toLowerCase();
    if (!headers.has(last)) headers.set(last, line.slice(line.indexOf(":") + 1).trim());
  }
  const known = [...headers.keys()].filter((name) => mailHeaders.test(name)).length;
  if (known < 2) return null;
  const type = headers.get("content-type") ?? "";
  if (
    headers.has("snapshot-content-location") ||
    (/multipart\/related/i.test(type) &&
      (/text\/html/i.test(type) || /saved by|blink|internet explorer/i.test(headers.get("from") ?? "")))
  )
    return "mhtml";
  if (isBox) return "mbox";
  return headers.has("from") || headers.has("subject") || headers.has("mime-version") || headers.has("received")
    ? "eml"
    : null;
}

const codeLanguages: Readonly<Record<string, string>> = {
  js: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  jsx: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  py: "Python",
  rb: "Ruby",
  go: "Go",
  rs: "Rust",
  java: "Java",
  kt: "Kotlin",
  swift: "Swift",
  c: "C",
  h: "C",
  cc: "C++",
  cpp: "C++",
  hpp: "C++",
  cs: "C#",
  php: "PHP",
  pl: "Perl",
  lua: "Lua",
  r: "R",
  scala: "Scala",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  ps1: "PowerShell",
  bat: "batch",
  sql: "SQL",
  css: "CSS",
  scss: "CSS",
  yaml: "YAML",
  yml: "YAML",
  toml: "TOML",
  ini: "INI",
  conf: "INI",
  tex: "TeX",
  bib: "BibTeX",
  hs: "Haskell",
  ml: "OCaml",
  ex: "Elixir",
  erl: "Erlang",
  clj: "Clojure",
  dart: "Dart",
  vue: "Vue",
  svelte: "Svelte",
  asm: "assembly",
  f90: "Fortran",
  jl: "Julia",
  m: "MATLAB",
  vb: "Visual Basic",
  proto: "Protocol Buffers",
};

export function codeLanguage(name: string, text: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = codeLanguages[extension];
  if (known) return known;
  const shebang = /^#!\s*\S*?(?:\/env\s+(?:-S\s+)?)?(?:\/)?(\w+)[^\n]*\n/.exec(text);
  if (!shebang) return null;
  const program = shebang[1]!;
  return /^(?:ba|z|k|da)?sh$/.test(program)
    ? "shell"
    : /^python/.test(program)
      ? "Python"
      : /^node/.test(program)
        ? "JavaScript"
        : program;
}

/** Strong signs of Markdown: several kinds of its marks, not one hash that may be a comment. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 20_000);
  const signs = [
    /^#{1,6} \S/m,
    /^\s*[-*+] \S.*\n\s*[-*+] \S/m,
    /\[[^\]\n]+\]\([^)\s]+\)/,
    /^```/m,
    /\*\*[^*\n]+\*\*/,
    /^> \S/m,
    /^\|.+\|\s*\n\|[\s:|-]+\|/m,
    /^\d+\. \S.*\n\d+\. \S/m,
  ];
  return signs.filter((sign) => sign.test(head)).length >= 3;
}
