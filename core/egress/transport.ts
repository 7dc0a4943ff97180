/** Sockets: one request, one hop. Connections are pooled apart for public hosts, for addresses typed by hand, and per proxy. */
import type { Readable } from "node:stream";
import { Agent, type Dispatcher, ProxyAgent, request } from "undici";
import { anyLookup, type Lookup, publicLookup } from "./guard.ts";
import { type Environment, proxyFor } from "./proxy.ts";

export interface Hop {
  readonly url: URL;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly privateAllowed: boolean;
  readonly signal: AbortSignal;
}

export interface HopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export class Transport {
  readonly #lookup: Lookup;
  readonly #env: Environment;
  readonly #pools = new Map<string, Dispatcher>();

  constructor(lookup: Lookup, env: Environment) {
    this.#lookup = lookup;
    this.#env = env;
  }

  async send(hop: Hop): Promise<HopAnswer> {
    const answer = await request(hop.url, {
      method: hop.method,
      headers: hop.headers,
      body: hop.body === undefined ? null : hop.body,
      signal: hop.signal,
      dispatcher: this.#pool(hop),
    });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
    }
    return { status: answer.statusCode, headers, body: answer.body };
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#pools.values()].map((pool) => pool.destroy()));
    this.#pools.clear();
  }

  #pool(hop: Hop): Dispatcher {
    const proxy = proxyFor(hop.url, this.#env);
    const key = proxy ?? (hop.privateAllowed ? "by-hand" : "public");
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = proxy ? new ProxyAgent({ uri: proxy, ...LIMITS }) : new Agent({ ...LIMITS, connect: this.#connect(hop) });
      this.#pools.set(key, pool);
    }
    return pool;
  }

  #connect(hop: Hop) {
    return {
      timeout: 15_000,
      lookup: hop.privateAllowed ? anyLookup(this.#lookup) : publicLookup(this.#lookup),
    };
  }
}

/** Idle connections go soon; headers are capped so that a server cannot fill the memory with them. */
const LIMITS = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 10_000, maxHeaderSize: 65_536, connections: 6 };
