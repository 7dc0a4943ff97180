/**
 * Parses feeds of every dialect from bytes: RSS, RDF, Atom, CDF and JSON Feed. Pure: no clock, no network, no storage;
 * it runs in the parser process, because the bytes come from strangers.
 */
import { CredenceError } from "../../contract/index.ts";
import type { FeedSource } from "../jobs.ts";
import { decodeFeed } from "./charset.ts";
import { separateRepeatedIds } from "./identity.ts";
import { parseJsonFeed } from "./json-feed.ts";
import type { ParsedFeed } from "./types.ts";
import { parseXmlFeed } from "./xml-feed.ts";

export { discoverFeeds } from "./discover.ts";
export { sanitise } from "./html.ts";
export { readOpml, writeOpml } from "./opml.ts";
export type * from "./types.ts";

/** Reads a feed. Throws `feeds.empty` or `feeds.not-a-feed`; whatever else is wrong becomes a warning. */
export function parseFeed(source: FeedSource): ParsedFeed {
  if (source.bytes.byteLength === 0) throw new CredenceError("feeds.empty", {});
  const { text, encoding, warning } = decodeFeed(source.bytes, source.contentType);
  const json = /^\s*[{[]/.test(text);
  const feed = json ? parseJsonFeed(text, source.url, encoding) : parseXmlFeed(text, source.url, encoding);
  const { entries, repeated } = separateRepeatedIds(feed.entries);
  const warnings = [...(warning ? [warning] : []), ...feed.warnings];
  if (repeated > 0)
    warnings.push(
      `${repeated} ${repeated === 1 ? "entry shares its" : "entries share their"} id with another and got one of their own.`,
    );
  return { ...feed, entries, warnings };
}
