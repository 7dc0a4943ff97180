import { asCredenceError, CredenceError, isCredenceError } from "../contract/index.ts";
import type { Egress } from "../egress/index.ts";
import type { FetchFeed, FetchOutcome } from "./ports.ts";

const MAX_BYTES = 32_000_000;
const TIMEOUT_MS = 30_000;
/** What servers send besides feeds is asked for too: the address may be a page that links to its feed. */
const ACCEPT =
  "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, text/html;q=0.8, */*;q=0.5";

/** Requests for feeds through the one way out; its answers and errors become the states that a feed can be in. */
export function feedFetcher(egress: Egress): FetchFeed {
  return async (request) => {
    try {
      const answer = await egress.request({
        purpose: "feeds",
        url: request.url,
        headers: { accept: ACCEPT },
        etag: request.etag,
        lastModified: request.lastModified,
        addedByHand: request.byHand,
        what: `Feed at ${new URL(request.url).host}`,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        signal: request.signal,
      });
      return outcomeOf(answer, request.url);
    } catch (thrown) {
      if (isCredenceError(thrown, "egress.offline")) return { kind: "offline" };
      const error = asCredenceError(thrown);
      const refused = error.kind === "egress.not-allowed" || error.kind === "egress.cut";
      return { kind: refused ? "not-allowed" : "failed", error: error.toData() };
    }
  };
}

function outcomeOf(answer: Awaited<ReturnType<Egress["request"]>>, url: string): FetchOutcome {
  const { status, movedTo } = answer;
  if (answer.notModified) return { kind: "not-modified", movedTo };
  if (status === 410) return { kind: "gone" };
  if (status === 429 || status === 503) return { kind: "busy", retryAfterMs: answer.retryAfterMs };
  if (status < 200 || status > 299) {
    return { kind: "failed", error: new CredenceError("egress.status", { host: new URL(url).host, status }).toData() };
  }
  return {
    kind: "ok",
    bytes: answer.bytes,
    contentType: answer.contentType,
    url: answer.url,
    movedTo,
    etag: answer.etag,
    lastModified: answer.lastModified,
  };
}

const MAX_PICTURE_BYTES = 12_000_000;

/** One picture that the user asked for, and its bytes. */
export function pictureFetcher(egress: Egress): (url: string, signal: AbortSignal) => Promise<Uint8Array> {
  return async (url, signal) => {
    const { host } = new URL(url);
    const answer = await egress.request({
      purpose: "feed-images",
      url,
      headers: { accept: "image/avif, image/webp, image/png, image/jpeg, image/gif" },
      what: "One image, on a click",
      agreedBy: "You, once",
      maxBytes: MAX_PICTURE_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (answer.status < 200 || answer.status > 299)
      throw new CredenceError("egress.status", { host, status: answer.status });
    return answer.bytes;
  };
}
