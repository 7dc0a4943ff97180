import { decodeHTML } from "entities";
import sanitizeHtml from "sanitize-html";
import { resolveLink } from "./links.ts";

const ALLOWED = [
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "p",
  "div",
  "span",
  "br",
  "hr",
  "blockquote",
  "q",
  "cite",
  "pre",
  "code",
  "kbd",
  "samp",
  "var",
  "tt",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
  "table",
  "caption",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "th",
  "td",
  "a",
  "b",
  "strong",
  "i",
  "em",
  "u",
  "s",
  "strike",
  "del",
  "ins",
  "sub",
  "sup",
  "small",
  "big",
  "mark",
  "abbr",
  "acronym",
  "address",
  "time",
  "figure",
  "figcaption",
  "img",
  "section",
  "article",
  "ruby",
  "rt",
  "rp",
];

/**
 * Reduces a feed's HTML to a safe subset: no script, style, frames, forms or event handlers. Links become absolute web
 * addresses; images keep their address in `data-src` only, so that nothing is loaded before the user asks.
 */
export function sanitise(html: string, base: string | null): string {
  if (!/[<&]/.test(html)) return html.trim();
  return sanitizeHtml(html, {
    allowedTags: ALLOWED,
    allowedAttributes: {
      a: ["href", "title"],
      img: ["data-src", "alt", "title", "width", "height"],
      td: ["colspan", "rowspan"],
      th: ["colspan", "rowspan", "scope"],
      ol: ["start"],
      time: ["datetime"],
      "*": ["lang", "dir"],
    },
    allowedSchemes: ["http", "https", "mailto"],
    disallowedTagsMode: "discard",
    nestingLimit: 60,
    transformTags: {
      a: (tagName, attributes) => {
        const href = resolveLink(attributes["href"], base);
        return {
          tagName,
          attribs: { ...(href ? { href } : {}), ...(attributes["title"] ? { title: attributes["title"] } : {}) },
        };
      },
      img: (tagName, attributes) => {
        const source = resolveLink(attributes["src"], base);
        const { alt, title, width, height } = attributes;
        return {
          tagName,
          attribs: Object.fromEntries(
            Object.entries({
              "data-src": source && /^https?:/i.test(source) ? source : undefined,
              alt,
              title,
              width,
              height,
            }).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
          ),
        };
      },
    },
  }).trim();
}

const BLOCK = /<\/?(p|div|br|hr|li|ul|ol|h[1-6]|tr|td|table|blockquote|pre|section|article)\b[^>]*>/gi;

/** The words of HTML on one line: tags gone, entities read, white space folded. */
export function plainText(html: string): string {
  const text = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(BLOCK, " ")
    .replace(/<\/?[a-z][^>]*>/gi, "");
  return fold(decodeHTML(text));
}

export function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether text that ought to be plain has markup in it after all. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?[a-z][a-z0-9]*(\s[^>]*)?\/?>|&(#\d+|#x[0-9a-f]+|[a-z][a-z0-9]+);/i.test(text);
}
