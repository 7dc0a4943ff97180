import { defineErrors } from "./define.ts";

/** Errors of feeds. */
export const feedsErrors = defineErrors({
  "feeds.not-a-feed": {
    say: (f: { found: string }) =>
      `This is not a feed: it holds ${f.found}. Give the address of an RSS, Atom, RDF or JSON feed, or of a page that links to one.`,
    retry: "never",
  },
  "feeds.empty": {
    say: (_: Record<string, never>) =>
      "The feed is empty: not one byte came. Nothing was changed; it is asked again later.",
    retry: "later",
  },
  "feeds.not-opml": {
    say: (_: Record<string, never>) =>
      "This is not a subscription list: it holds no OPML outline. Export the list again from the other reader and add that file.",
    retry: "never",
  },
  "feeds.already-there": {
    say: (f: { title: string }) => `You already follow ${f.title}. Nothing was changed.`,
    retry: "never",
  },
  "feeds.bad-address": {
    say: (f: { address: string }) => `${f.address} is not a web address. Write it as https://example.org/feed.xml.`,
    retry: "never",
  },
  "feeds.none-found": {
    say: (f: { address: string }) =>
      `${f.address} is neither a feed nor a page that links to one. Look for a feed or RSS link on that site and give its address.`,
    retry: "never",
  },
});
