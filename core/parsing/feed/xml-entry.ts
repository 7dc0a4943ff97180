import { asHtml, asPlain, type TextConstruct, textConstruct } from "./constructs.ts";
import { feedDate } from "./dates.ts";
import { fold, plainText } from "./html.ts";
import { entryIdentity } from "./identity.ts";
import { baseOf, isWebAddress, resolveLink } from "./links.ts";
import { type Element, elements, textOf } from "./tree.ts";
import type { Enclosure, FeedDate, ParsedEntry, ParsedFeed } from "./types.ts";
import { first, isCore, linkOf, linksOf, textIn } from "./xml-fields.ts";

interface EntryContext {
  readonly format: ParsedFeed["format"];
  readonly url: string | null;
  readonly feedAuthor: string | null;
}

/** Reads an `item` or `entry`. */
export function readEntry(item: Element, context: EntryContext): ParsedEntry {
  // Entries that an unclosed one swallowed are not its fields.
  const fields = elements(item).filter((child) => child.name !== "item" && child.name !== "entry");
  const title = titleOf(fields, context.url);
  const guid = first(fields, "guid", "id");
  const guidText = (guid ? textOf(guid).trim() : "") || item.attributes.get("rdf:about")?.trim() || null;
  const link = entryLink(item, fields, guid, guidText, context);
  const [summary, content] = texts(fields, context.url);
  return {
    ...entryIdentity({ guid: guidText, link, title, content: content || summary }),
    title,
    link,
    published: date(fields, ["pubdate", "published", "issued", "created"], ["issued", "created", "date"]),
    updated: date(fields, ["updated", "modified", "lastmod"], ["modified"]) ?? feedDate(item.attributes.get("lastmod")),
    author: authorOf(fields) ?? context.feedAuthor,
    summary,
    content,
    text: plainText(content || summary),
    categories: categoriesOf(fields),
    enclosures: enclosuresOf(fields, context.url),
  };
}

function titleOf(fields: readonly Element[], url: string | null): string {
  const title =
    first(fields, "title") ??
    fields.find((f) => f.name === "title" && f.ns === "dc") ??
    fields.find((f) => f.name === "title");
  return title ? asPlain(textConstruct(title, url)) : "";
}

function entryLink(
  item: Element,
  fields: readonly Element[],
  guid: Element | undefined,
  guidText: string | null,
  context: EntryContext,
): string | null {
  const link =
    linkOf(fields, context.url) ??
    (context.format === "cdf" ? resolveLink(item.attributes.get("href"), baseOf(item, context.url)) : null);
  if (link) return link;
  // A guid is the page's address unless it says otherwise (RSS 2.0); one that is no address must say so itself.
  const permanent = guid?.attributes.get("ispermalink")?.trim().toLowerCase();
  if (guidText && permanent !== "false") {
    if (isWebAddress(guidText)) return guidText;
    const resolved =
      permanent === "true" ? resolveLink(guidText, guid ? baseOf(guid, context.url) : context.url) : null;
    if (isWebAddress(resolved)) return resolved;
  }
  return null;
}

/** Summary and content as sanitised HTML. Content that only repeats the summary is kept once, as content. */
function texts(fields: readonly Element[], url: string | null): [summary: string, content: string] {
  const construct = (element: Element | undefined): TextConstruct | null =>
    element ? textConstruct(element, url) : null;
  const encoded = fields.find((f) => f.ns === "content" && f.name === "encoded");
  const body =
    encoded ??
    first(fields, "content") ??
    fields.find((f) => f.ns === "xhtml" && (f.name === "body" || f.name === "div")) ??
    first(fields, "fullitem", "body");
  const brief =
    first(fields, "summary", "description", "abstract") ??
    fields.find((f) => f.ns === "dc" && f.name === "description") ??
    fields.find((f) => f.ns === "itunes" && f.name === "summary");
  const bodyText = construct(body);
  const content = bodyText ? asHtml(bodyText) : "";
  const briefText = construct(brief);
  const summary = briefText ? asHtml(briefText) : "";
  if (content) return [summary === content ? "" : summary, content];
  return [summary, ""];
}

function date(fields: readonly Element[], own: readonly string[], dublin: readonly string[]): FeedDate | null {
  const found =
    first(fields, ...own) ??
    dublin.map((name) => fields.find((f) => (f.ns === "dcterms" || f.ns === "dc") && f.name === name)).find(Boolean);
  return found ? feedDate(textOf(found)) : null;
}

function authorOf(fields: readonly Element[]): string | null {
  const people = fields
    .filter((f) => f.name === "author" && isCore(f))
    .map(personName)
    .filter((name): name is string => name !== null);
  if (people.length > 0) return people.join(", ");
  return textIn(fields, "dc", "creator", "author") ?? textIn(fields, "itunes", "author");
}

/** A person as Atom (`name` inside) or RSS ("mail@example.org (Name)") writes one. */
function personName(person: Element): string | null {
  const name = elements(person).find((child) => child.name === "name");
  if (name) return fold(textOf(name)) || null;
  const text = fold(textOf(person));
  const written = /^\S+@\S+\s*\((.+)\)$/.exec(text)?.[1] ?? /^(.+?)\s*<\S+@\S+>$/.exec(text)?.[1];
  return (written ?? text) || null;
}

function categoriesOf(fields: readonly Element[]): string[] {
  const names = fields
    .filter((f) => (f.name === "category" && isCore(f)) || (f.name === "subject" && f.ns === "dc"))
    .map((f) => fold(f.attributes.get("label") ?? f.attributes.get("term") ?? plainText(textOf(f))));
  return [...new Set(names.filter((name) => name !== ""))];
}

function enclosuresOf(fields: readonly Element[], url: string | null): Enclosure[] {
  const duration = seconds(textIn(fields, "itunes", "duration"));
  const found: Enclosure[] = [];
  for (const field of fields) {
    if (field.name === "enclosure" && isCore(field)) {
      const address = resolveLink(field.attributes.get("url") ?? field.attributes.get("href"), baseOf(field, url));
      if (address)
        found.push({
          url: address,
          type: field.attributes.get("type") ?? null,
          bytes: count(field.attributes.get("length")),
          durationSeconds: duration,
        });
    }
  }
  for (const link of linksOf(fields, url)) {
    if (link.rel === "enclosure")
      found.push({
        url: link.href,
        type: link.type === "text/html" ? null : link.type,
        bytes: count(link.length),
        durationSeconds: duration,
      });
  }
  for (const media of mediaContents(fields)) {
    const address = resolveLink(media.attributes.get("url"), baseOf(media, url));
    if (address)
      found.push({
        url: address,
        type: media.attributes.get("type") ?? null,
        bytes: count(media.attributes.get("filesize")),
        durationSeconds: seconds(media.attributes.get("duration") ?? null),
      });
  }
  return found.filter((one, i) => found.findIndex((other) => other.url === one.url) === i);
}

function mediaContents(fields: readonly Element[]): Element[] {
  return fields.flatMap((f) =>
    f.ns !== "media" ? [] : f.name === "content" ? [f] : f.name === "group" ? mediaContents(elements(f)) : [],
  );
}

function count(text: string | null | undefined): number | null {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** "1:02:03", "62:03" or plain seconds. */
function seconds(text: string | null): number | null {
  if (!text || !/^\d+(:\d{1,2}){0,2}(\.\d+)?$/.test(text.trim())) return null;
  return text
    .trim()
    .split(":")
    .reduce((total, part) => total * 60 + Number.parseFloat(part), 0);
}
