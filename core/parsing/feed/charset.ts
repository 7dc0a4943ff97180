import chardet from "chardet";
import iconv from "iconv-lite";

export interface Decoded {
  readonly text: string;
  /** The encoding used, in lower case. */
  readonly encoding: string;
  /** Set when what was declared could not be believed. */
  readonly warning: string | null;
}

const BOMS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Byte patterns of `<?xm` or `<` + letter without a byte order mark (XML 1.0, appendix F). */
const PATTERNS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-32be", [0, 0, 0, 0x3c]],
  ["utf-32le", [0x3c, 0, 0, 0]],
  ["utf-16be", [0, 0x3c, 0, 0x3f]],
  ["utf-16le", [0x3c, 0, 0x3f, 0]],
];

/**
 * Decodes a feed's bytes: byte order mark, the bytes' own shape, what HTTP said, what the XML declaration says, UTF-8 if
 * it is valid, and then a guess. What is declared is believed only if the bytes agree.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | null): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = match(buffer, BOMS);
  if (marked) return { text: strip(decode(buffer, marked)), encoding: marked, warning: null };
  const shaped = match(buffer, PATTERNS);
  if (shaped) return { text: decode(buffer, shaped), encoding: shaped, warning: null };

  const http = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase() ?? null;
  const declared = declaredEncoding(buffer);
  for (const candidate of [http, declared]) {
    if (!candidate || !iconv.encodingExists(candidate)) continue;
    if (isUtf8(candidate) && !validUtf8(buffer)) continue;
    // A declaration that says UTF-16 but could be read as ASCII is wrong.
    if (/^(utf|ucs|iso-10646).*(16|32|2|4)/.test(candidate)) continue;
    return { text: strip(decode(buffer, candidate)), encoding: candidate, warning: null };
  }
  const wrong = http ?? declared;
  const warning = wrong ? `The feed says it is ${wrong}, but its bytes are not.` : null;
  if (validUtf8(buffer)) return { text: strip(decode(buffer, "utf-8")), encoding: "utf-8", warning };
  const guess = chardet.detect(buffer.subarray(0, 65536))?.toLowerCase() ?? "windows-1252";
  const encoding = iconv.encodingExists(guess) && !isUtf8(guess) ? guess : "windows-1252";
  return {
    text: decode(buffer, encoding),
    encoding,
    warning: warning ?? `The feed does not say how its text is encoded; it was read as ${encoding}.`,
  };
}

function match(buffer: Buffer, table: readonly (readonly [string, readonly number[]])[]): string | null {
  return table.find(([, bytes]) => bytes.every((byte, i) => buffer[i] === byte))?.[0] ?? null;
}

function declaredEncoding(buffer: Buffer): string | null {
  const head = buffer.subarray(0, 1024).toString("latin1");
  return /<\?xml[^>]*?encoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head)?.[1]?.toLowerCase() ?? null;
}

function isUtf8(encoding: string): boolean {
  return /^utf-?8$|^u8$|^unicode-1-1-utf-8$/.test(encoding);
}

function validUtf8(buffer: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(buffer);
    return true;
  } catch {
    return false;
  }
}

function decode(buffer: Buffer, encoding: string): string {
  // Pages that say Latin-1 or ASCII mean Windows-1252 (WHATWG Encoding, "names and labels").
  const name = /^(iso-?8859-?1|latin-?1|us-ascii|ascii)$/.test(encoding)
    ? "windows-1252"
    : encoding === "gb2312" || encoding === "gbk"
      ? "gb18030"
      : encoding;
  return iconv.decode(buffer, name);
}

function strip(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
