import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";

/** One element. Names are lower case and without prefix; `ns` is the short name of a known namespace, "" for the feed's own. */
export interface Element {
  readonly name: string;
  readonly ns: Namespace;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
  readonly parent: Element | null;
  /** The tag as it was written, for markup that is content. */
  readonly tag: string;
}

export type Namespace =
  | ""
  | "atom"
  | "dc"
  | "dcterms"
  | "content"
  | "itunes"
  | "media"
  | "xhtml"
  | "rdf"
  | "xml"
  | "rss1"
  | "other";

const KNOWN: readonly (readonly [Namespace, RegExp])[] = [
  [
    "atom",
    /^http:\/\/(www\.w3\.org\/2005\/atom|purl\.org\/atom\/ns#|example\.com\/newformat#|example\.com\/necho|purl\.org\/echo\/?|uri\/of\/echo\/namespace#|purl\.org\/pie\/)/i,
  ],
  ["dc", /^http:\/\/purl\.org\/dc\/elements\//i],
  ["dcterms", /^http:\/\/purl\.org\/dc\/terms\/?/i],
  ["content", /^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?/i],
  ["itunes", /^https?:\/\/(www\.itunes\.com|example\.com)\/dtds\/podcast-1\.0\.dtd/i],
  ["media", /^https?:\/\/search\.yahoo\.com\/mrss/i],
  ["xhtml", /^http:\/\/www\.w3\.org\/1999\/xhtml/i],
  ["rdf", /^http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#/i],
  ["xml", /^http:\/\/www\.w3\.org\/XML\/1998\/namespace/i],
  [
    "rss1",
    /^http:\/\/(purl\.org\/(rss|net\/rss1\.1)|backend\.userland\.com\/rss|blogs\.law\.harvard\.edu|purl\.org\/netscape|my\.netscape\.com\/rdf\/simple|channel\.netscape\.com\/rdf\/simple|purl\.org\/rss\/1\.0)/i,
  ],
];

/** Prefixes that feeds use without declaring them. */
const USUAL: Readonly<Record<string, Namespace>> = {
  atom: "atom",
  atom10: "atom",
  a10: "atom",
  dc: "dc",
  dcterms: "dcterms",
  content: "content",
  itunes: "itunes",
  media: "media",
  xhtml: "xhtml",
  rdf: "rdf",
  xml: "xml",
  rss: "rss1",
};

const MAX_DEPTH = 200;
const PIECE = 16_384;

/** Reads XML as a tree, however broken it is. Never throws; nesting beyond 200 is flattened. */
export function parseTree(source: string): { root: Element; warnings: string[] } {
  const warnings: string[] = [];
  const text = resolveEntities(withoutControls(source), warnings);
  const root: Element = { name: "", ns: "", attributes: new Map(), children: [], parent: null, tag: "" };
  const scopes: Map<string, Namespace>[] = [new Map()];
  let current = root;
  let depth = 0;
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (depth >= MAX_DEPTH) {
          skipped++;
          return;
        }
        depth++;
        const scope = scopeOf(attributes, scopes.at(-1)!);
        scopes.push(scope);
        const [prefix, local] = split(tag);
        const element: Element = {
          name: local,
          ns: scope.get(prefix) ?? (prefix === "" ? "" : (USUAL[prefix] ?? "other")),
          attributes: attributesOf(attributes),
          children: [],
          parent: current,
          tag,
        };
        current.children.push(element);
        current = element;
      },
      ontext(data) {
        const last = current.children.length - 1;
        const before = current.children[last];
        if (typeof before === "string") current.children[last] = before + data;
        else current.children.push(data);
      },
      onclosetag() {
        if (skipped > 0) {
          skipped--;
          return;
        }
        if (!current.parent) return;
        depth--;
        scopes.pop();
        current = current.parent;
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeSelfClosing: true },
  );
  // Written in pieces, because the library's own stack makes endless nesting quadratic: far too deep is where reading ends.
  for (let at = 0; at < text.length && skipped < MAX_DEPTH * 10; at += PIECE) parser.write(text.slice(at, at + PIECE));
  if (skipped >= MAX_DEPTH * 10) warnings.push("The feed is nested without end; it was read up to there.");
  parser.end();
  return { root, warnings };
}

function split(tag: string): [string, string] {
  const colon = tag.indexOf(":");
  return colon < 0 ? ["", tag.toLowerCase()] : [tag.slice(0, colon).toLowerCase(), tag.slice(colon + 1).toLowerCase()];
}

function scopeOf(attributes: Record<string, string>, outer: Map<string, Namespace>): Map<string, Namespace> {
  let scope = outer;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    if (scope === outer) scope = new Map(outer);
    const known = KNOWN.find(([, pattern]) => pattern.test(value.trim()))?.[0];
    const prefix = name === "xmlns" ? "" : name.slice(6).toLowerCase();
    // A default namespace nobody knows is taken for the feed's own: old formats invent them.
    scope.set(prefix, known ?? (prefix === "" ? "" : (USUAL[prefix] ?? "other")));
  }
  return scope;
}

function attributesOf(attributes: Record<string, string>): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of Object.entries(attributes)) map.set(name.toLowerCase(), value);
  return map;
}

/** Characters that XML forbids and that some feeds carry. */
function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

const XML_ENTITIES = new Set(["amp", "lt", "gt", "quot", "apos"]);
const MAX_ENTITY = 10_000;

/**
 * Replaces HTML's named entities and the document's own (once, without nesting: no "billion laughs") outside CDATA, and
 * escapes an ampersand that begins no entity.
 */
function resolveEntities(source: string, warnings: string[]): string {
  const own = new Map<string, string>();
  const text = source.replace(
    /(?<=^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*)<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i,
    (_, subset: string | undefined) => {
      for (const [, name, , value] of (subset ?? "").matchAll(/<!ENTITY\s+([\w.:-]+)\s+(["'])([\s\S]*?)\2\s*>/g)) {
        if (
          value !== undefined &&
          value.length <= MAX_ENTITY &&
          !/&[\w.:-]+;/.test(value.replace(/&(#\w+|amp|lt|gt|quot|apos);/g, ""))
        )
          own.set(name!, value);
      }
      return "";
    },
  );
  let bare = 0;
  const resolved = text.replace(
    /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|&(#[xX]?[0-9a-fA-F]+;|[\w.:-]+;)?/g,
    (whole, name: string | undefined) => {
      if (whole.startsWith("<")) return whole;
      if (name === undefined) {
        bare++;
        return "&amp;";
      }
      const key = name.slice(0, -1);
      if (key.startsWith("#") || XML_ENTITIES.has(key)) return whole;
      const mine = own.get(key);
      if (mine !== undefined) return mine;
      const decoded = decodeHTML(`&${name}`);
      if (decoded === `&${name}`) {
        bare++;
        return `&amp;${name}`;
      }
      return decoded.replace(/[&<>]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&gt;"));
    },
  );
  if (bare > 0) warnings.push(`${bare} ${bare === 1 ? "ampersand was" : "ampersands were"} not written as XML asks.`);
  return resolved;
}

/** Child elements in order. */
export function elements(parent: Element): Element[] {
  return parent.children.filter((child): child is Element => typeof child !== "string");
}

/** All text below an element, markup left out. */
export function textOf(element: Element): string {
  let text = "";
  for (const child of element.children) text += typeof child === "string" ? child : textOf(child);
  return text;
}

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

/** What is inside an element, as HTML. Text is escaped, so that it cannot become markup. */
export function innerHtml(element: Element): string {
  let html = "";
  for (const child of element.children) html += typeof child === "string" ? escapeHtml(child) : outerHtml(child);
  return html;
}

function outerHtml(element: Element): string {
  const attributes = [...element.attributes]
    .filter(([name]) => !name.startsWith("xmlns"))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join("");
  if (VOID.has(element.name)) return `<${element.name}${attributes}>`;
  return `<${element.name}${attributes}>${innerHtml(element)}</${element.name}>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : c === ">" ? "&gt;" : "&quot;"));
}
