import type { Parser } from "../parsing/index.ts";
import type { FeedParser } from "./ports.ts";

/** A feed of more than this many bytes was refused long before; what remains is parsed or given up within half a minute. */
const TIME_MS = 30_000;

/** Feed parsing by the parser process. */
export function feedParser(parser: Parser): FeedParser {
  return {
    feed: (source, signal) => parser.run("feed.parse", source, { signal, timeMs: TIME_MS }),
    discover: (page, signal) => parser.run("feed.discover", page, { signal, timeMs: TIME_MS }),
    article: (page, signal) => parser.run("feed.article", page, { signal, timeMs: TIME_MS }),
    opml: (bytes, signal) => parser.run("feed.opml", { bytes }, { signal, timeMs: TIME_MS }),
  };
}
