import type { FeedArticle, FeedSource } from "../jobs.ts";
import { readable } from "../readable.ts";
import { decodeFeed } from "./charset.ts";
import { discoverFeeds } from "./discover.ts";
import { plainText, sanitise } from "./html.ts";
import { readOpml } from "./opml.ts";
import type { DiscoveredFeed, OpmlFeed } from "./types.ts";

export function discoverJob(page: FeedSource): readonly DiscoveredFeed[] {
  return page.url ? discoverFeeds(decodeFeed(page.bytes, page.contentType).text, page.url) : [];
}

export function opmlJob({ bytes }: { readonly bytes: Uint8Array }): readonly OpmlFeed[] {
  return readOpml(decodeFeed(bytes, null).text);
}

/** Null where no article stands out from the page's menus and margins. */
export async function articleJob(page: FeedSource): Promise<FeedArticle | null> {
  const html = decodeFeed(page.bytes, page.contentType).text;
  const article = await readable({ html, ...(page.url ? { url: page.url } : {}) });
  if (!article.isArticle || article.html === null) return null;
  const safe = sanitise(article.html, page.url);
  return { html: safe, text: plainText(safe) };
}
