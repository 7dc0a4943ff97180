import type { Element } from "./tree.ts";

/** Schemes that run or reveal something instead of naming a page. */
const DANGEROUS = /^(javascript|vbscript|data|file|blob|about|chrome|credence):/i;

/** Makes `link` absolute. What is no address at all is given back as it is; null for nothing and for what is not safe. */
export function resolveLink(link: string | null | undefined, base: string | null): string | null {
  const text = link?.trim().replace(/[\r\n\t]+/g, "") ?? "";
  if (!text || DANGEROUS.test(text.replace(/[\u0000-\u0020]/g, ""))) return null;
  if (!base || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  try {
    return new URL(text, base).href;
  } catch {
    return text;
  }
}

/** The base address in force at an element: the nearest `xml:base`, each resolved against the one outside it. */
export function baseOf(element: Element | null, documentBase: string | null): string | null {
  if (!element) return documentBase;
  const own =
    element.attributes.get("xml:base") ?? (element.name === "channel" ? element.attributes.get("base") : undefined);
  const outer = baseOf(element.parent, documentBase);
  return own ? (resolveLink(own, outer) ?? outer) : outer;
}

/** Whether a link may be followed by a reader: web addresses only. */
export function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//i.test(link) && URL.canParse(link);
}
