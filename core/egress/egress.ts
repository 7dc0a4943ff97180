import { networkInterfaces } from "node:os";
import { CredenceError, type EgressPurpose, type PurposeState } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { ACCEPTED_ENCODINGS, type BodyCount, readBody } from "./body.ts";
import { Consents } from "./consents.ts";
import { egressErrorOf } from "./failures.ts";
import { isLocal, type Lookup, parseAddress, refusePrivateHost, resolveName } from "./guard.ts";
import { Ledger } from "./ledger.ts";
import { overviewOf } from "./overview.ts";
import { type Environment, proxyFor } from "./proxy.ts";
import { ALL_PURPOSES, PURPOSES } from "./purposes.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type HopAnswer, Transport } from "./transport.ts";
import type { Egress, EgressRequest, EgressResponse, EgressStream } from "./types.ts";

export interface EgressDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  /** Sent as User-Agent: a name and version, nothing of the machine. */
  readonly userAgent: string;
  readonly onChanged?: () => void;
  readonly env?: Environment;
  readonly lookup?: Lookup;
  /** Whether the machine has any network at all. */
  readonly online?: () => boolean;
}

/** Headers that may follow a redirect to another site. */
const FOR_ANYBODY: ReadonlySet<string> = new Set([
  "user-agent",
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
]);
const MAX_REDIRECTS = 8;
const DEFAULT_MAX_BYTES = 8_000_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Makes the one way out of this machine. Nothing is opened until a request of an allowed purpose is made. */
export function createEgress(deps: EgressDeps): Egress {
  const ledger = new Ledger(deps.db, deps.clock);
  const consents = new Consents(deps.db, deps.clock);
  const env = deps.env ?? process.env;
  const transport = new Transport(deps.lookup ?? resolveName, env);
  const online = deps.online ?? hasNetwork;
  const changed = atMostEvery(deps.clock, 1_000, () => deps.onChanged?.());
  if (deps.db.writable) ledger.closeForgotten();

  /** Without a network this machine itself can still be reached. */
  function reachable(address: string): boolean {
    return online() || (URL.canParse(address) && isLocal(new URL(address)));
  }

  function check(request: EgressRequest): void {
    if (consents.cut()) throw new CredenceError("egress.cut", {});
    if (!consents.state(request.purpose).allowed) {
      throw new CredenceError("egress.not-allowed", {
        purpose: request.purpose,
        title: PURPOSES[request.purpose].title,
      });
    }
  }

  async function stream(request: EgressRequest): Promise<EgressStream> {
    const start = parseAddress(request.url);
    check(request);
    // Throws for a proxy that cannot be used, before anything is written down as sent.
    proxyFor(start, env);
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const abort = new AbortController();
    const onStop = () => abort.abort(new CredenceError("general.cancelled", {}));
    request.signal?.addEventListener("abort", onStop, { once: true });
    if (request.signal?.aborted) onStop();
    const cancelTimer = deps.clock.after(timeoutMs, () =>
      abort.abort(new CredenceError("egress.timeout", { host: start.host, seconds: Math.round(timeoutMs / 1000) })),
    );
    const settle = () => {
      cancelTimer();
      request.signal?.removeEventListener("abort", onStop);
    };
    try {
      return await follow(request, start, abort, settle);
    } catch (thrown) {
      settle();
      throw abort.signal.aborted && abort.signal.reason instanceof CredenceError ? abort.signal.reason : thrown;
    }
  }

  /** Walks redirects. Every hop is checked, written down and sent by itself. */
  async function follow(
    request: EgressRequest,
    start: URL,
    abort: AbortController,
    settle: () => void,
  ): Promise<EgressStream> {
    let url = start;
    let method = request.method ?? "GET";
    let body = request.body;
    let movedTo: string | null = null;
    let permanent = true;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const { body: _, ...bare } = request;
      const sent = await send(
        { ...bare, ...(body === undefined ? {} : { body }), method },
        url,
        start,
        abort.signal,
        hop,
      );
      const location = sent.answer.headers["location"];
      if (!isRedirect(sent.answer.status) || location === undefined)
        return streamOf(request, url, movedTo, sent, abort, settle);
      sent.answer.body.on("error", () => {}).destroy();
      finish(sent, "ok");
      permanent &&= sent.answer.status === 301 || sent.answer.status === 308;
      const status = sent.answer.status;
      url = parseAddress(new URL(location, url).href);
      movedTo = permanent ? url.href : null;
      if (status === 303 || ((status === 301 || status === 302) && method === "POST")) {
        method = "GET";
        body = undefined;
      }
      if (abort.signal.aborted) throw abort.signal.reason;
    }
    throw new CredenceError("egress.too-many-redirects", { host: start.host, limit: MAX_REDIRECTS });
  }

  interface Sent {
    readonly answer: HopAnswer;
    readonly id: number;
    readonly up: number;
    readonly count: BodyCount;
  }

  async function send(request: EgressRequest, url: URL, start: URL, signal: AbortSignal, hop: number): Promise<Sent> {
    const privateAllowed = request.addedByHand === true && url.hostname === start.hostname;
    const opening = {
      purpose: request.purpose,
      host: url.host,
      method: request.method ?? "GET",
      what: request.what,
      agreedBy: request.agreedBy ?? "Standing",
    };
    if (!privateAllowed) {
      try {
        refusePrivateHost(url);
      } catch (refusal) {
        ledger.refuse({
          ...opening,
          what: hop > 0 ? `${request.what}: redirected to a private address` : request.what,
        });
        changed();
        throw refusal;
      }
    }
    const headers = headersOf(request, url, start);
    const up = sizeOf(url, headers, request.body);
    const id = ledger.open(opening);
    changed();
    const count: BodyCount = { wire: 0, decoded: 0 };
    try {
      const answer = await transport.send({
        url: withoutCredentials(url),
        method: opening.method,
        headers,
        body: request.body,
        privateAllowed,
        signal,
      });
      return { answer, id, up, count };
    } catch (thrown) {
      ledger.close(id, { outcome: "failed", status: null, bytesUp: up, bytesDown: 0 });
      changed();
      throw egressErrorOf(thrown, url, online() || isLocal(url));
    }
  }

  function finish(sent: Sent, outcome: "ok" | "failed"): void {
    const head = Object.entries(sent.answer.headers).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      20,
    );
    ledger.close(sent.id, {
      outcome,
      status: sent.answer.status,
      bytesUp: sent.up,
      bytesDown: head + sent.count.wire,
    });
    changed();
  }

  function streamOf(
    request: EgressRequest,
    url: URL,
    movedTo: string | null,
    sent: Sent,
    abort: AbortController,
    settle: () => void,
  ): EgressStream {
    const { status, headers } = sent.answer;
    const host = url.host;
    const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      let outcome: "ok" | "failed" = "failed";
      try {
        const bodiless = status === 304 || status === 204 || request.method === "HEAD";
        if (!bodiless) yield* readBody(sent.answer.body, headers["content-encoding"], { host, maxBytes }, sent.count);
        else sent.answer.body.on("error", () => {}).resume();
        outcome = "ok";
      } catch (thrown) {
        if (abort.signal.aborted && abort.signal.reason instanceof CredenceError) throw abort.signal.reason;
        throw egressErrorOf(thrown, url, online() || isLocal(url));
      } finally {
        settle();
        finish(sent, outcome);
      }
    }
    return {
      status,
      url: url.href,
      headers,
      contentType: headers["content-type"] ?? null,
      notModified: status === 304,
      movedTo,
      etag: headers["etag"] ?? null,
      lastModified: headers["last-modified"] ?? null,
      retryAfterMs: retryAfterMs(headers["retry-after"], deps.clock.now()),
      ledgerId: sent.id,
      body: pieces(),
      cancel() {
        abort.abort(new CredenceError("general.cancelled", {}));
      },
    };
  }

  function stateOf(purpose: EgressPurpose): PurposeState {
    const { title, leaves } = PURPOSES[purpose];
    return { purpose, title, leaves, ...consents.state(purpose), ...ledger.totalOf(purpose) };
  }

  const egress: Egress = {
    stream,
    async request(request): Promise<EgressResponse> {
      const { body, cancel: _, ...answer } = await stream(request);
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      return { ...answer, bytes: Buffer.concat(pieces) };
    },
    fetchFor: (purpose, options) => fetchThrough(stream, purpose, options),
    refusal(purpose, address) {
      if (consents.cut()) return "The network is cut for Credence.";
      if (!consents.state(purpose).allowed) return `${PURPOSES[purpose].title} is off.`;
      return address === undefined || reachable(address) ? null : "This machine has no network.";
    },
    setAllowed(purpose, allowed) {
      consents.set(purpose, allowed);
      changed();
      return stateOf(purpose);
    },
    purposes: () => ALL_PURPOSES.map(stateOf),
    cut: () => consents.cut(),
    setCut(cut) {
      consents.setCut(cut);
      changed();
    },
    describe: (id, what) => ledger.describe(id, what),
    requestsEver: () => ledger.requestsEver(),
    overview: () => overviewOf(ledger, ALL_PURPOSES.map(stateOf), consents.cut()),
    ledger: (options) =>
      ledger.page({
        ...(options.before == null ? {} : { before: options.before }),
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(options.purpose === undefined ? {} : { purpose: options.purpose }),
        ...(options.host === undefined ? {} : { host: options.host }),
      }),
    totals: (by, limit) => ledger.totals(by, limit),
    close: () => transport.close(),
  };
  return egress;

  function headersOf(request: EgressRequest, url: URL, start: URL): Record<string, string> {
    const headers: Record<string, string> = {
      "user-agent": deps.userAgent,
      accept: "*/*",
      "accept-encoding": ACCEPTED_ENCODINGS,
    };
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
    if (request.etag) headers["if-none-match"] = request.etag;
    if (request.lastModified) headers["if-modified-since"] = request.lastModified;
    if (url.username !== "") {
      const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      headers["authorization"] = `Basic ${Buffer.from(login).toString("base64")}`;
    }
    if (url.origin !== start.origin) {
      // Another site gets nothing that was meant for the first: keys come under many names.
      for (const name of Object.keys(headers)) if (!FOR_ANYBODY.has(name)) delete headers[name];
    }
    return headers;
  }
}

/** Calls `task` at once and then no sooner than `ms` later, the last call included. */
function atMostEvery(clock: Clock, ms: number, task: () => void): () => void {
  let waiting = false;
  let again = false;
  return function call() {
    if (waiting) {
      again = true;
      return;
    }
    waiting = true;
    task();
    clock.after(ms, () => {
      waiting = false;
      if (!again) return;
      again = false;
      call();
    });
  };
}

/** `fetch` over egress. Only what protocol libraries use of it: string or URL, method, headers, body, signal. */
function fetchThrough(
  stream: Egress["stream"],
  purpose: EgressPurpose,
  options: { readonly what: string; readonly addedByHand: boolean; readonly maxBytes?: number },
): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    const headers = Object.fromEntries(new Headers(init?.headers ?? request?.headers));
    const body = init?.body;
    if (body !== undefined && body !== null && typeof body !== "string" && !(body instanceof Uint8Array)) {
      throw new TypeError("Only text and bytes can be sent.");
    }
    const signal = init?.signal ?? request?.signal;
    const answer = await stream({
      purpose,
      url: request?.url ?? String(input),
      method: method as "GET" | "POST" | "DELETE" | "HEAD",
      headers,
      ...(body == null ? {} : { body }),
      ...(signal ? { signal } : {}),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
      // Event streams stay open: their time is the protocol's business, their size is capped here.
      timeoutMs: 24 * 3_600_000,
      addedByHand: options.addedByHand,
      what: options.what,
    });
    const pieces = answer.body[Symbol.asyncIterator]();
    const bodiless = answer.status === 204 || answer.status === 304;
    const readable = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        answer.cancel();
        await pieces.return?.(undefined);
      },
    });
    if (bodiless) await pieces.next();
    const shown = Object.entries(answer.headers).filter(
      ([name]) => name !== "content-encoding" && name !== "content-length",
    );
    return new Response(bodiless ? null : readable, { status: answer.status, headers: shown });
  };
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function withoutCredentials(url: URL): URL {
  if (url.username === "" && url.password === "") return url;
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

function sizeOf(url: URL, headers: Record<string, string>, body: string | Uint8Array | undefined): number {
  const head = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  const line = url.pathname.length + url.search.length + url.host.length + 24;
  return line + head + (body === undefined ? 0 : Buffer.byteLength(body));
}

function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some((address) => !address.internal));
}
