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
  "feeds.not-a-picture": {
    say: (f: { host: string }) => `${f.host} sent something that is no picture, so it is not shown.`,
    retry: "never",
  },
  "feeds.offline": {
    say: (_: Record<string, never>) =>
      "There is no network now. What was fetched before stays readable; try again when you are online.",
    retry: "later",
  },
  "feeds.busy": {
    say: (f: { address: string }) => `${f.address} asks to be left alone for a while. Try again later.`,
    retry: "later",
  },
  "feeds.no-link": {
    say: (f: { title: string }) => `"${f.title}" names no page, so there is nothing more to fetch.`,
    retry: "never",
  },
  "feeds.nothing-readable": {
    say: (f: { title: string }) =>
      `No article could be made out on the page of "${f.title}". The summary stays; open the original in the browser.`,
    retry: "never",
  },
  "feeds.file-unreadable": {
    say: (f: { path: string }) => `${f.path} cannot be read. Check that it is there and that you may read it.`,
    retry: "later",
  },
  "feeds.file-too-large": {
    say: (f: { path: string; bytes: number }) =>
      `${f.path} has ${Math.round(f.bytes / 1e6)} MB; a feed or a list of feeds may have 64.`,
    retry: "never",
  },
});
