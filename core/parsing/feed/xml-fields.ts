import { baseOf, resolveLink } from "./links.ts";
import { type Element, textOf } from "./tree.ts";

/** Whether an element belongs to the feed's own vocabulary rather than to an extension. */
export function isCore(element: Element): boolean {
  return element.ns === "" || element.ns === "rss1" || element.ns === "atom";
}

/** The first element with one of the names, the feed's own vocabulary only; names are tried in order. */
export function first(fields: readonly Element[], ...names: string[]): Element | undefined {
  for (const name of names) {
    const found = fields.find((field) => field.name === name && isCore(field));
    if (found) return found;
  }
  return undefined;
}

/** Text of the first element with the name in a namespace, trimmed; null for nothing. */
export function textIn(fields: readonly Element[], ns: Element["ns"], ...names: string[]): string | null {
  for (const name of names) {
    const found = fields.find((field) => field.ns === ns && field.name === name && textOf(field).trim() !== "");
    if (found) return textOf(found).trim();
  }
  return null;
}

export interface FeedLink {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
  readonly length: string | null;
  readonly title: string | null;
}

/** Links in the manner of Atom: an `href` and a relation, which is `alternate` when none is given. */
export function linksOf(fields: readonly Element[], url: string | null): FeedLink[] {
  return fields.flatMap((field) => {
    if (field.name !== "link" || !isCore(field)) return [];
    const href = resolveLink(field.attributes.get("href"), baseOf(field, url));
    if (!href) return [];
    const rel = (field.attributes.get("rel") ?? "alternate")
      .trim()
      .toLowerCase()
      .replace("http://www.iana.org/assignments/relation/", "");
    const type =
      field.attributes.get("type")?.trim().toLowerCase() ?? (rel === "self" ? "application/atom+xml" : "text/html");
    return [
      { href, rel, type, length: field.attributes.get("length") ?? null, title: field.attributes.get("title") ?? null },
    ];
  });
}

const PAGE = /^(text\/html|application\/xhtml\+xml|html|xhtml|text\/xhtml)$/;

/** The page that a feed or entry stands for: RSS's link text, else the alternate link that is a page. */
export function linkOf(fields: readonly Element[], url: string | null): string | null {
  const written = fields
    .filter((field) => field.name === "link" && isCore(field) && textOf(field).trim() !== "")
    .at(-1);
  if (written) return resolveLink(textOf(written), baseOf(written, url));
  const alternates = linksOf(fields, url).filter((link) => link.rel === "alternate");
  return (alternates.filter((link) => PAGE.test(link.type)).at(-1) ?? alternates[0])?.href ?? null;
}
