import { parseDocument } from "htmlparser2";
import { plainText } from "./html.ts";
import { isWebAddress, resolveLink } from "./links.ts";
import type { DiscoveredFeed } from "./types.ts";

const FEED_TYPE =
  /^(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/(json|feed\+json)|text\/xml|application\/xml)$/i;
/** What the addresses of feeds look like when a page does not declare them. */
const FEED_ADDRESS =
  /(\/(feed|rss|atom|rdf|index\.xml|feed\.json|feeds?)\/?$)|\.(rss|atom|rdf)$|(rss|atom|feed)\.xml$|[?&](feed|format)=(rss2?|atom|rdf)/i;
const LIMIT = 20;

type Node = ReturnType<typeof parseDocument>["children"][number];

/**
 * Feeds that a web page declares (`link rel="alternate"`), or else links whose address looks like one. Comment feeds go
 * last. Runs in the parser process.
 */
export function discoverFeeds(html: string, url: string): DiscoveredFeed[] {
  const declared: DiscoveredFeed[] = [];
  const linked: DiscoveredFeed[] = [];
  let base = url;
  const queue: Node[] = [...parseDocument(html).children];
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (!("attribs" in node)) continue;
    for (const child of node.children) queue.push(child);
    const { attribs: attributes } = node;
    if (node.name === "base" && attributes["href"]) base = resolveLink(attributes["href"], url) ?? url;
    if (
      node.name === "link" &&
      /\b(alternate|feed)\b/i.test(attributes["rel"] ?? "") &&
      FEED_TYPE.test((attributes["type"] ?? "").split(";")[0]!.trim())
    ) {
      // WordPress declares its API as JSON beside its feeds.
      if (!/wp-json|oembed/i.test(attributes["href"] ?? "")) add(declared, attributes["href"], attributes["title"]);
    }
    if (node.name === "a" && FEED_ADDRESS.test(attributes["href"] ?? ""))
      add(linked, attributes["href"], attributes["title"] ?? wordsOf(node));
  }
  const found = declared.length > 0 ? declared : linked;
  const unique = found.filter((one, i) => found.findIndex((other) => other.url === one.url) === i);
  const comments = (one: DiscoveredFeed) => (/comment/i.test(`${one.url} ${one.title}`) ? 1 : 0);
  return unique.sort((a, b) => comments(a) - comments(b)).slice(0, LIMIT);

  function add(to: DiscoveredFeed[], href: string | undefined, title: string | undefined): void {
    const address = resolveLink(href, base);
    if (isWebAddress(address)) to.push({ url: address, title: plainText(title ?? "") || address });
  }
}

function wordsOf(node: Node): string {
  if ("data" in node) return node.data;
  return "children" in node ? node.children.map((child) => wordsOf(child as Node)).join("") : "";
}
