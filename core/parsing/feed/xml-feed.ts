import { CredenceError } from "../../contract/index.ts";
import { asHtml, asPlain, textConstruct } from "./constructs.ts";
import { fold } from "./html.ts";
import { baseOf, isWebAddress, resolveLink } from "./links.ts";
import { type Element, elements, parseTree, textOf } from "./tree.ts";
import type { ParsedFeed } from "./types.ts";
import { readEntry } from "./xml-entry.ts";
import { first, isCore, linkOf, linksOf } from "./xml-fields.ts";

/** Reads RSS 0.9 to 2.0, RDF (RSS 1.0), Atom 0.3 and 1.0, and CDF, however broken. */
export function parseXmlFeed(text: string, url: string | null, encoding: string): ParsedFeed {
  const { root, warnings } = parseTree(text);
  const found = findFeed(root);
  if (!found) throw new CredenceError("feeds.not-a-feed", { found: describe(root, text) });
  const { format, channel, items } = found;
  const fields = elements(channel).filter((child) => !items.includes(child));
  const title = first(fields, "title") ?? fields.find((field) => field.ns === "dc" && field.name === "title");
  const description =
    first(fields, "subtitle", "tagline", "description", "abstract", "info") ??
    fields.find((field) => field.name === "summary");
  const homePage =
    format === "cdf" ? resolveLink(channel.attributes.get("href"), baseOf(channel, url)) : linkOf(fields, url);
  const image = fields.find((field) => field.name === "image");
  return {
    format,
    title: title ? asPlain(textConstruct(title, url)) : "",
    homePage: homePage ?? idAsPage(fields, url),
    description: description ? asHtml(textConstruct(description, url)) : "",
    language: first(fields, "language")?.children.join("").trim() || channel.attributes.get("xml:lang") || null,
    image: imageAddress(image, first(fields, "logo", "icon"), url),
    self: linksOf(fields, url).find((link) => link.rel === "self")?.href ?? null,
    entries: items.map((item) => readEntry(item, { format, url, feedAuthor: null })),
    encoding,
    warnings,
  };
}

interface Found {
  readonly format: ParsedFeed["format"];
  readonly channel: Element;
  readonly items: Element[];
}

function findFeed(root: Element): Found | null {
  const top = firstNamed(root, ["rss", "rdf", "feed", "channel"], 4);
  if (top) {
    const channel = top.name === "feed" || top.name === "channel" ? top : (firstNamed(top, ["channel"], 2) ?? top);
    const items = entriesBelow(top);
    if (top.name === "feed") return { format: "atom", channel, items };
    if (top.name === "rdf") return { format: "rdf", channel, items };
    const cdf = top.name === "channel" && (top.attributes.has("href") || top.tag === "CHANNEL");
    return { format: cdf ? "cdf" : "rss", channel, items };
  }
  // A lone entry document (RFC 4287, 4.1.2), or items that lost what was around them.
  const items = entriesBelow(root);
  return items.length > 0 ? { format: items[0]!.name === "entry" ? "atom" : "rss", channel: root, items } : null;
}

function firstNamed(parent: Element, names: readonly string[], depth: number): Element | null {
  for (const child of elements(parent))
    if (names.includes(child.name) && (isCore(child) || child.ns === "rdf")) return child;
  if (depth === 0) return null;
  for (const child of elements(parent)) {
    const found = child.ns === "xhtml" || child.name === "html" ? null : firstNamed(child, names, depth - 1);
    if (found) return found;
  }
  return null;
}

function entriesBelow(parent: Element): Element[] {
  const found: Element[] = [];
  for (const child of elements(parent)) {
    if ((child.name === "item" || child.name === "entry") && isCore(child)) {
      found.push(child);
      // An unclosed item swallows those after it; they are entries all the same.
      found.push(...entriesBelow(child));
    } else found.push(...entriesBelow(child));
  }
  return found;
}

/** Atom's id stands for a home page that is not linked, when it is a web address. */
function idAsPage(fields: readonly Element[], url: string | null): string | null {
  const id = first(fields, "id", "guid");
  const resolved = id ? resolveLink(textOf(id), baseOf(id, url)) : null;
  return isWebAddress(resolved) ? resolved : null;
}

function imageAddress(image: Element | undefined, logo: Element | undefined, url: string | null): string | null {
  const inner = image ? elements(image).find((child) => child.name === "url") : undefined;
  const address = inner
    ? textOf(inner)
    : (image?.attributes.get("href") ?? image?.attributes.get("rdf:resource") ?? (logo ? textOf(logo) : null));
  return resolveLink(address, image ? baseOf(image, url) : url);
}

function describe(root: Element, text: string): string {
  const top = elements(root)[0];
  if (/<html\b|<!doctype html/i.test(text.slice(0, 2000))) return "a web page";
  if (!top) return fold(text) === "" ? "nothing but white space" : "text that is neither XML nor JSON";
  return `XML of another kind (${top.tag})`;
}
