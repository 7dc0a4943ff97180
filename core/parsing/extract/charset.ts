import { analyse } from "chardet";
import iconv from "iconv-lite";

export interface Decoded {
  readonly text: string;
  /** The charset used, in lower case. */
  readonly charset: string;
  /** True when it was worked out from the bytes and could be wrong. */
  readonly guessed: boolean;
}

/**
 * Decodes text of any charset. In order: byte order mark, what the text or its sender declares (when the bytes fit it),
 * UTF-16 by its pattern of zeros, UTF-8 when valid, else the likeliest by letter statistics.
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = byMark(buffer);
  if (marked) return marked;
  const named = declared ?? declaredInside(buffer);
  const wide = wideWithoutMark(buffer);
  if (wide) return wide;
  if (named !== null && isKnown(named.toLowerCase())) {
    const charset = named.toLowerCase();
    const single = !/^utf-?(16|32)|^ucs/.test(charset);
    if (single && !(isUtf8Name(charset) && !isUtf8(buffer))) {
      const text = decodeAs(buffer, charset);
      if (!text.includes("\ufffd")) {
        // A wrong label is common: what is valid UTF-8 with letters beyond ASCII is UTF-8.
        if (!isUtf8Name(charset) && hasHighBytes(buffer) && !/2022|utf-?7|hz/.test(charset) && isUtf8(buffer)) {
          return { text: buffer.toString("utf8"), charset: "utf-8", guessed: false };
        }
        return { text, charset, guessed: false };
      }
    }
  }
  if (isUtf8(buffer) && !hasEscapes(buffer)) return { text: buffer.toString("utf8"), charset: "utf-8", guessed: false };
  return guess(buffer);
}

/** iconv-lite has no ISO-2022-JP; Node's own decoder does. */
function decodeAs(buffer: Buffer, charset: string): string {
  return charset === "iso-2022-jp" ? new TextDecoder("iso-2022-jp").decode(buffer) : iconv.decode(buffer, charset);
}

function isKnown(charset: string): boolean {
  return charset === "iso-2022-jp" || iconv.encodingExists(charset);
}

function byMark(buffer: Buffer): Decoded | null {
  const [a, b, c, d] = buffer;
  if (a === 0xef && b === 0xbb && c === 0xbf)
    return { text: buffer.toString("utf8", 3), charset: "utf-8", guessed: false };
  if (a === 0xff && b === 0xfe && c === 0 && d === 0)
    return { text: iconv.decode(buffer, "utf-32le"), charset: "utf-32le", guessed: false };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff)
    return { text: iconv.decode(buffer, "utf-32be"), charset: "utf-32be", guessed: false };
  if (a === 0xff && b === 0xfe) return { text: iconv.decode(buffer, "utf-16le"), charset: "utf-16le", guessed: false };
  if (a === 0xfe && b === 0xff) return { text: iconv.decode(buffer, "utf-16be"), charset: "utf-16be", guessed: false };
  return null;
}

/** A charset named in the first bytes: XML declaration, HTML meta, CSS, or an editor's coding line. */
function declaredInside(buffer: Buffer): string | null {
  const head = buffer.toString("latin1", 0, 2048);
  const found =
    /^<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head) ??
    /<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^@charset "([\w.:-]+)"/.exec(head) ??
    /^(?:.*\n)?.{0,40}coding[:=]\s*([\w.-]+)/.exec(head);
  return found ? found[1]! : null;
}

/** UTF-16 without a mark shows by zeros in every second byte of Latin text, or by many of the same high byte. */
function wideWithoutMark(buffer: Buffer): Decoded | null {
  const length = Math.min(buffer.length & ~1, 4096);
  if (length < 8) return null;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let i = 0; i < length; i += 2) {
    if (buffer[i] === 0) evenZeros++;
    if (buffer[i + 1] === 0) oddZeros++;
  }
  const half = length / 2;
  for (const [mine, other, charset] of [
    [oddZeros, evenZeros, "utf-16le"],
    [evenZeros, oddZeros, "utf-16be"],
  ] as const) {
    if (mine > half * 0.1 && other < half * 0.02) {
      const text = iconv.decode(buffer, charset);
      if (mine > half * 0.6 || plausible(text.slice(0, 2000)) > 0.9)
        return { text, charset, guessed: mine < half * 0.6 };
    }
  }
  return null;
}

function isUtf8Name(charset: string): boolean {
  return charset === "utf-8" || charset === "utf8";
}

/** Strict UTF-8; a character cut off at the very end is let pass. */
export function isUtf8(buffer: Buffer): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let cut = 0; cut < 4; cut++) {
    try {
      decoder.decode(buffer.subarray(0, buffer.length - cut));
      return true;
    } catch {
      if (buffer.length < 4) return false;
      if ((buffer[buffer.length - 1 - cut]! & 0x80) === 0) return false;
    }
  }
  return false;
}

function hasHighBytes(buffer: Buffer): boolean {
  for (const byte of buffer) if (byte > 0x7f) return true;
  return false;
}

/** ISO-2022 text is ASCII bytes with escapes. */
function hasEscapes(buffer: Buffer): boolean {
  const at = buffer.indexOf(0x1b);
  return at >= 0 && (buffer[at + 1] === 0x24 || buffer[at + 1] === 0x28);
}

const candidates = [
  "windows-1252",
  "windows-1251",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "iso-8859-5",
  "windows-1250",
  "iso-8859-2",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
  "macintosh",
  "x-mac-cyrillic",
  "cp437",
  "cp850",
] as const;

function guess(buffer: Buffer): Decoded {
  const sample = sampleOf(buffer);
  const opinions = new Map<string, number>();
  for (const match of analyse(sample).slice(0, 8)) {
    const name = match.name.toLowerCase().replace("iso-8859-1", "windows-1252").replace("windows-12522", "iso-8859-2");
    if (!opinions.has(name)) opinions.set(name, match.confidence / 100);
  }
  const escaped = [...opinions.keys()].find((name) => name.startsWith("iso-2022"));
  if (escaped && hasEscapes(sample) && isKnown(escaped)) {
    return { text: decodeAs(buffer, escaped), charset: escaped, guessed: true };
  }
  let best = { charset: "windows-1252", score: Number.NEGATIVE_INFINITY };
  for (const charset of new Set<string>([...candidates, ...opinions.keys()])) {
    if (!iconv.encodingExists(charset) || /utf/.test(charset)) continue;
    const score =
      plausible(iconv.decode(sample, charset)) +
      0.25 * (opinions.get(charset) ?? 0) +
      (charset === "windows-1252" ? 0.02 : 0);
    if (score > best.score + 1e-9) best = { charset, score };
  }
  for (const charset of buffer.length % 2 === 0 ? ["utf-16le", "utf-16be"] : []) {
    const score = plausible(iconv.decode(buffer.subarray(0, 12_000), charset));
    if (score > Math.max(best.score, 0.68)) best = { charset, score };
  }
  return { text: iconv.decode(buffer, best.charset), charset: best.charset, guessed: true };
}

/** The lines that hold bytes beyond ASCII: only they tell charsets apart. */
function sampleOf(buffer: Buffer): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  let start = 0;
  let high = false;
  const length = Math.min(buffer.length, 2_000_000);
  for (let i = 0; i <= length && size < 12_000; i++) {
    const byte = i < length ? buffer[i]! : 10;
    if (byte > 0x7f || byte === 0x1b) high = true;
    if (byte !== 10 && i - start < 2000) continue;
    if (high) {
      parts.push(buffer.subarray(start, Math.min(i + 1, length)));
      size += i + 1 - start;
    }
    start = i + 1;
    high = false;
  }
  return parts.length === 0 ? buffer.subarray(0, 12_000) : Buffer.concat(parts);
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];
const commonKanji = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\u3000-\u303f\uff00-\uffef]/u;
/** Letters of Latin alphabets that are in daily use beyond ASCII. */
const dailyLatin =
  /[àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœšžčćđěřůňťďľĺŕąęłńóśźżőűğışțţșăāēīūģķļņėįųŠŽČĐŁŚŻÀÁÂÄÅÆÇÈÉÊÍÎÑÓÔÖØÚÜİŞĞ]/u;
const dailySigns = /[‘’“”„–—…•€£§©®°±«»·¿¡´½¼¾²³ªº№™‹›¢¥×÷]/u;

/**
 * How much decoded text looks written by someone, 0 to about 1: letters beyond ASCII stand with letters of their own
 * script, capitals stand in front, and control characters, box drawings and rare letters do not occur.
 */
export function plausible(text: string): number {
  let good = 0;
  let all = 0;
  let before = "";
  let beforeScript = -1;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const ascii = code < 0x80;
    const script = scripts.findIndex((pattern) => pattern.test(character));
    if (ascii) {
      if (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12) {
        all += 3;
      }
    } else if (code === 0xfffd || (code >= 0x80 && code < 0xa0)) all += 3;
    else if (script === 0) {
      all++;
      const capitalInside = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before);
      good += dailyLatin.test(character) && !capitalInside && (beforeScript <= 0 || beforeScript === 0) ? 1 : 0.2;
    } else if (script === 6) {
      all++;
      good +=
        commonKanji.test(character) &&
        !/[\uff61-\uff9f]/.test(character) &&
        (beforeScript !== 0 || !/\p{L}/u.test(before))
          ? commonness(code)
          : 0.1;
    } else if (script > 0) {
      all++;
      const mixed = beforeScript >= 0 && beforeScript !== script && /\p{L}/u.test(before);
      const capitalInside = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before);
      if (script === 5) good += thaiWeight(character, before);
      else
        good +=
          mixed || capitalInside
            ? 0.05
            : script === 1
              ? /[а-яёА-ЯЁіїєґІЇЄҐўЎ]/u.test(character)
                ? weightOfCyrillic(character)
                : 0.4
              : 1;
    } else {
      all++;
      good += dailySigns.test(character)
        ? 0.7
        : /[\u2500-\u259f]/.test(character)
          ? 0
          : /[\u3000-\u303f\uff00-\uff60]/.test(character)
            ? 0.9
            : 0.3;
    }
    before = character;
    beforeScript = script;
  }
  return all === 0 ? 0.5 : good / all;
}

/** Thai vowel signs stand on a consonant, and some consonants are all but unused. */
function thaiWeight(character: string, before: string): number {
  if (/[ัิ-ฺ็-๎]/u.test(character)) return /[ก-ฮิ-ู่-๋]/u.test(before) ? 1 : 0;
  return /[ฃฅฆฌฎฏฐฑฒฯ๏๚๛]/u.test(character) ? 0.15 : 1;
}

/** Lower-case and frequent letters weigh more: Cyrillic charsets differ in which letters come out, and in their case. */
function weightOfCyrillic(character: string): number {
  if (/[оеаинтслврк]/u.test(character)) return 1;
  return /\p{Ll}/u.test(character) ? 0.85 : 0.6;
}

/** Everyday ideographs lie early in the block of the old standards; what is decoded wrongly scatters over all of it. */
function commonness(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return 1;
  if (everyday.has(code)) return 1;
  if (code >= 0xac00 && code <= 0xd7a3) return 0.8;
  return 0.62;
}

const everyday = new Set(
  [
    ..."的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从這為來個們說國於會後對著裡過發無麼經當與學進種還見從時間気私今何年本日月人大中出入会社行見車電話語食事名新高長山川田東京都市区町村男女子供先生学校友達年次第性化的現在最後全体問題情報",
  ].map((character) => character.codePointAt(0)!),
);
