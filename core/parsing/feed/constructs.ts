import { fold, looksLikeHtml, plainText, sanitise } from "./html.ts";
import { baseOf } from "./links.ts";
import { type Element, elements, escapeHtml, innerHtml, textOf } from "./tree.ts";

/** A text as a feed gives it: HTML not yet sanitised, or plain. */
export interface TextConstruct {
  readonly value: string;
  readonly html: boolean;
  readonly base: string | null;
}

/** Reads an Atom text construct (RFC 4287, 3.1), or Atom 0.3's with `mode`, or an RSS element whose text may be HTML. */
export function textConstruct(element: Element, documentBase: string | null): TextConstruct {
  const base = baseOf(element, documentBase);
  const type = element.attributes.get("type")?.trim().toLowerCase() ?? "";
  const mode = element.attributes.get("mode")?.trim().toLowerCase() ?? "";
  const nested = elements(element).length > 0;
  if (mode === "base64" || (type && !mode && isBinaryType(type))) {
    const decoded = Buffer.from(textOf(element), "base64").toString("utf8");
    return { value: decoded, html: type === "" || /html|xml/.test(type), base };
  }
  if (nested) return { value: innerHtml(unwrapDiv(element)), html: true, base };
  const text = textOf(element);
  if (type === "xhtml" || type === "application/xhtml+xml")
    return { value: mode === "escaped" ? text : escapeHtml(text), html: true, base };
  if (type === "html" || type === "text/html" || mode === "escaped")
    return { value: text, html: type !== "text/plain" && type !== "text", base };
  if (type === "text" || type === "text/plain")
    return { value: text, html: element.ns !== "atom" && looksLikeHtml(text), base };
  return { value: text, html: looksLikeHtml(text), base };
}

function isBinaryType(type: string): boolean {
  return type.includes("/") && !/^(text|multipart)\/|[+/]xml$|html/.test(type);
}

/** XHTML content sits in a `div` that is not part of it (RFC 4287, 3.1.1.3). */
function unwrapDiv(element: Element): Element {
  const children = element.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  const only = children.length === 1 ? children[0] : undefined;
  return typeof only === "object" && only.name === "div" ? only : element;
}

export function asPlain(text: TextConstruct): string {
  return text.html ? plainText(text.value) : fold(text.value);
}

export function asHtml(text: TextConstruct): string {
  return text.html ? sanitise(text.value, text.base) : escapeHtml(text.value).trim();
}
