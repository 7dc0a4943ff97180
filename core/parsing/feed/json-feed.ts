import { CredenceError } from "../../contract/index.ts";
import { feedDate } from "./dates.ts";
import { fold, plainText, sanitise } from "./html.ts";
import { entryIdentity } from "./identity.ts";
import { resolveLink } from "./links.ts";
import { escapeHtml } from "./tree.ts";
import type { Enclosure, ParsedEntry, ParsedFeed } from "./types.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads JSON Feed 1.0 and 1.1 (jsonfeed.org). Fields of a wrong type are taken for missing. */
export function parseJsonFeed(text: string, url: string | null, encoding: string): ParsedFeed {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new CredenceError("feeds.not-a-feed", { found: "JSON that is cut short or damaged" }, { cause });
  }
  const feed = fields(document);
  if (!feed || (!Array.isArray(feed["items"]) && !/jsonfeed/.test(string(feed["version"]) ?? ""))) {
    throw new CredenceError("feeds.not-a-feed", { found: "JSON that is not a JSON Feed" });
  }
  const base = string(feed["feed_url"]) ?? url;
  const warnings: string[] = [];
  const items = Array.isArray(feed["items"]) ? feed["items"] : [];
  const read = items.map(fields).filter((item): item is Fields => item !== null);
  if (read.length < items.length) {
    const lost = items.length - read.length;
    warnings.push(`${lost} ${lost === 1 ? "entry" : "entries"} could not be read.`);
  }
  return {
    format: "json",
    title: fold(string(feed["title"]) ?? ""),
    homePage: resolveLink(string(feed["home_page_url"]), base),
    description: string(feed["description"]) ?? "",
    language: string(feed["language"]),
    image: resolveLink(string(feed["icon"]) ?? string(feed["favicon"]), base),
    self: string(feed["feed_url"]),
    entries: read.map((item) => entry(item, base, authorOf(feed))),
    encoding,
    warnings,
  };
}

function entry(item: Fields, base: string | null, feedAuthor: string | null): ParsedEntry {
  const link = resolveLink(string(item["url"]) ?? string(item["external_url"]), base);
  const plain = string(item["content_text"]);
  const html = string(item["content_html"]);
  const content = html !== null ? sanitise(html, link ?? base) : escapeHtml(plain ?? "").trim();
  const summary = string(item["summary"]);
  const title = fold(string(item["title"]) ?? "");
  const id = typeof item["id"] === "number" ? String(item["id"]) : string(item["id"]);
  return {
    ...entryIdentity({ guid: id, link, title, content: content || (summary ?? "") }),
    title,
    link,
    published: feedDate(string(item["date_published"])),
    updated: feedDate(string(item["date_modified"])),
    author: authorOf(item) ?? feedAuthor,
    summary: summary === null ? "" : escapeHtml(plainText(summary)),
    content,
    text: plainText(content || escapeHtml(summary ?? "")),
    categories: list(item["tags"])
      .map(string)
      .filter((tag): tag is string => tag !== null),
    enclosures: list(item["attachments"])
      .map((value) => enclosure(fields(value), base))
      .filter((value): value is Enclosure => value !== null),
  };
}

function enclosure(value: Fields | null, base: string | null): Enclosure | null {
  const url = resolveLink(string(value?.["url"]), base);
  if (!value || !url) return null;
  return {
    url,
    type: string(value["mime_type"]),
    bytes: number(value["size_in_bytes"]),
    durationSeconds: number(value["duration_in_seconds"]),
  };
}

function authorOf(owner: Fields): string | null {
  const authors = Array.isArray(owner["authors"]) ? owner["authors"] : [owner["author"]];
  const names = authors
    .map((author) => string(fields(author)?.["name"]))
    .filter((name): name is string => name !== null);
  return names.length > 0 ? names.join(", ") : null;
}

const fields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const string = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null);
const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
