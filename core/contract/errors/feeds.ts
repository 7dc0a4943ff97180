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
});
