/** A SearXNG-compatible search service: `<address>/search?q=…&format=json`. */
import { z } from "zod";
import { CredenceError } from "../../contract/index.ts";
import type { Egress } from "../../egress/index.ts";
import type { SearchResult } from "./ports.ts";

const Answer = z.object({
  results: z.array(
    z
      .object({ url: z.string(), title: z.string().catch(""), content: z.string().nullish() })
      .catch({ url: "", title: "" }),
  ),
});

/** Results of one search. Throws egress errors, or `tools.search-failed`. */
export async function searchWeb(
  egress: Egress,
  engine: string,
  query: string,
  agreedBy: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const address = searchAddress(engine, query);
  const answer = await egress.request({
    purpose: "web-research",
    url: address.href,
    headers: { accept: "application/json" },
    what: `Search, ${query.split(/\s+/).length} words`,
    agreedBy,
    // The user set this service up; it may be on their own machine.
    addedByHand: true,
    maxBytes: 2_000_000,
    timeoutMs: 15_000,
    signal,
  });
  const fail = (detail: string) => new CredenceError("tools.search-failed", { host: address.host, detail });
  if (answer.status === 403) throw fail("it does not allow JSON answers; its operator has to turn the format on");
  if (answer.status === 429) throw fail("it is asked too often at the moment");
  if (answer.status !== 200) throw fail(`status ${answer.status}`);
  let parsed: z.infer<typeof Answer>;
  try {
    parsed = Answer.parse(JSON.parse(Buffer.from(answer.bytes).toString("utf8")));
  } catch {
    throw fail("its answer is not the JSON that was asked for");
  }
  return parsed.results
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
    .slice(0, 60)
    .map(({ url, title, content }) => ({
      url: bare(url),
      title: title.slice(0, 300),
      snippet: (content ?? "").slice(0, 1000),
    }));
}

/** The address with `{query}` filled in, or SearXNG's own path. */
function searchAddress(engine: string, query: string): URL {
  const template = engine.includes("{query}") ? engine.replaceAll("{query}", encodeURIComponent(query)) : null;
  if (template) return new URL(template);
  const url = new URL(engine);
  if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
  url.searchParams.set("q", query);
  url.searchParams.set("format", "json");
  return url;
}

/** Without fragment and tracking parameters, so that the same page counts once. */
function bare(address: string): string {
  const url = new URL(address);
  url.hash = "";
  for (const name of [...url.searchParams.keys()]) {
    if (/^(?:utm_\w+|fbclid|gclid|mc_[ce]id|ref_src)$/i.test(name)) url.searchParams.delete(name);
  }
  return url.href;
}
