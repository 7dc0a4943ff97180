/** One tool server: connected in the background, started again with growing waits, its tools told to whoever listens. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  McpError,
  type Tool as ServerTool,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { asCredenceError, CredenceError, isCredenceError, type McpServer } from "../../contract/index.ts";
import type { Egress } from "../../egress/index.ts";
import type { Clock, Log } from "../../platform/index.ts";
import { STDIO_CAPS, type StdioCaps, StdioTransport } from "./stdio-transport.ts";
import type { StoredServer } from "./store.ts";

export interface McpLimits {
  readonly connectMs: number;
  readonly callMs: number;
  /** Waits before a server that ended is started again; after the last one it stays down until the user asks. */
  readonly restartMs: readonly number[];
  /** Calls in a row without an answer that make a server be started anew. */
  readonly hangs: number;
  readonly tools: number;
  readonly stdio: StdioCaps;
}

export const MCP_LIMITS: McpLimits = {
  connectMs: 15_000,
  callMs: 60_000,
  restartMs: [1_000, 5_000, 30_000, 120_000],
  hangs: 2,
  tools: 128,
  stdio: STDIO_CAPS,
};

/** A connection counts as healthy after this: the waits begin anew. */
const HEALTHY_MS = 60_000;
const HTTP_BYTES = 16_000_000;

export interface ConnectionDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly limits: McpLimits;
  /** The tools of the server changed: some, others, or none (it is gone). */
  readonly onTools: (tools: readonly ServerTool[]) => void;
  readonly onState: () => void;
}

export class McpConnection {
  readonly server: StoredServer;
  readonly #deps: ConnectionDeps;
  #client: Client | null = null;
  #state: McpServer["state"] = "off";
  #problem: string | null = null;
  #restarts = 0;
  #hangs = 0;
  #connectedAt = 0;
  #cancelRestart: (() => void) | null = null;
  #closed = false;
  #generation = 0;

  constructor(server: StoredServer, deps: ConnectionDeps) {
    this.server = server;
    this.#deps = deps;
  }

  get state(): McpServer["state"] {
    return this.#state;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Connects; a failure is kept as the state and tried again later. Never throws. */
  async open(): Promise<void> {
    if (this.#closed) return;
    this.#cancelRestart?.();
    const generation = ++this.#generation;
    this.#set("connecting", null);
    const transport = this.#transport();
    const client = new Client({ name: "Credence", version: this.#deps.version }, { capabilities: {} });
    client.onclose = () => this.#ended(generation, transport);
    client.onerror = (error) => {
      // Noise of a server is its own; a flood ends it, which `onclose` tells.
      if (isCredenceError(error)) this.#problem = error.message;
    };
    try {
      await client.connect(transport, { timeout: this.#deps.limits.connectMs });
      if (this.#closed || generation !== this.#generation) return void client.close();
      this.#client = client;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#refresh(generation));
      this.#connectedAt = this.#deps.clock.monotonic();
      await this.#list(client);
      this.#set("ready", null);
    } catch (thrown) {
      await client.close().catch(() => {});
      if (generation !== this.#generation || this.#closed) return;
      this.#fail(this.#startProblem(thrown, transport));
    }
  }

  /** Calls a tool. Throws `mcp.timeout`, `mcp.gone`, `mcp.flooded`, `mcp.failed`, egress errors, or the caller's abort. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    progress: (fraction: number | null) => void,
  ): Promise<string> {
    const client = this.#client;
    const { name } = this.server;
    if (!client || this.#state !== "ready") throw new CredenceError("mcp.gone", { name });
    try {
      const result = await client.callTool({ name: tool, arguments: args }, undefined, {
        signal,
        timeout: this.#deps.limits.callMs,
        maxTotalTimeout: this.#deps.limits.callMs,
        onprogress: ({ progress: done, total }) => progress(total ? Math.min(1, done / total) : null),
      });
      this.#hangs = 0;
      const text = textOf(result);
      if (result.isError)
        throw new CredenceError("mcp.failed", { name, detail: text.slice(0, 2000) || "no reason given" });
      return text;
    } catch (thrown) {
      signal.throwIfAborted();
      throw this.#callProblem(thrown);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#generation++;
    this.#cancelRestart?.();
    const client = this.#client;
    this.#client = null;
    this.#state = "off";
    this.#deps.onTools([]);
    await client?.close().catch(() => {});
  }

  #transport(): Transport {
    const { transport, name } = this.server;
    if (transport.kind === "stdio") return new StdioTransport({ name, ...transport }, this.#deps.limits.stdio);
    // The user typed the address: it may be on their own network.
    const fetchThrough = this.#deps.egress.fetchFor("mcp", {
      what: `Tool server ${name}`,
      addedByHand: true,
      maxBytes: HTTP_BYTES,
    });
    return new StreamableHTTPClientTransport(new URL(transport.url), {
      fetch: fetchThrough,
      requestInit: { headers: transport.headers },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 3,
      },
    });
  }

  async #list(client: Client): Promise<void> {
    const tools: ServerTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 10 && tools.length < this.#deps.limits.tools; page++) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, {
        timeout: this.#deps.limits.connectMs,
      });
      tools.push(...listed.tools);
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    this.#deps.onTools(tools.slice(0, this.#deps.limits.tools));
  }

  async #refresh(generation: number): Promise<void> {
    const client = this.#client;
    if (!client || generation !== this.#generation) return;
    try {
      await this.#list(client);
    } catch (thrown) {
      this.#deps.log.warn("mcp.list-failed", { server: this.server.id, kind: asCredenceError(thrown).kind });
    }
  }

  #ended(generation: number, transport: Transport): void {
    if (generation !== this.#generation || this.#closed || this.#state === "connecting") return;
    this.#client = null;
    if (this.#deps.clock.monotonic() - this.#connectedAt > HEALTHY_MS) this.#restarts = 0;
    const flooded = transport instanceof StdioTransport && transport.flooded;
    const { name } = this.server;
    const error = flooded
      ? new CredenceError("mcp.flooded", { name, limitBytes: this.#deps.limits.stdio.messageBytes })
      : new CredenceError("mcp.gone", { name });
    this.#fail(error.message);
  }

  /** Keeps the problem, takes the tools away, and tries again after a while. */
  #fail(problem: string): void {
    this.#client = null;
    this.#deps.onTools([]);
    this.#set("failed", problem);
    const wait = this.#deps.limits.restartMs[this.#restarts++];
    this.#deps.log.warn("mcp.failed", { server: this.server.id, again: wait ?? null });
    if (wait !== undefined) this.#cancelRestart = this.#deps.clock.after(wait, () => void this.open());
  }

  #set(state: McpServer["state"], problem: string | null): void {
    this.#state = state;
    this.#problem = problem;
    this.#deps.onState();
  }

  #startProblem(thrown: unknown, transport: Transport): string {
    const { name } = this.server;
    if (isCredenceError(thrown)) return thrown.message;
    if (transport instanceof StdioTransport) {
      if (transport.flooded)
        return new CredenceError("mcp.flooded", { name, limitBytes: this.#deps.limits.stdio.messageBytes }).message;
      const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
      if (code === "ENOENT")
        return new CredenceError("mcp.did-not-start", { name, detail: "there is no such program" }).message;
      if (code === "EACCES")
        return new CredenceError("mcp.did-not-start", { name, detail: "it may not be run" }).message;
      if (transport.lastWords !== "")
        return new CredenceError("mcp.did-not-start", { name, detail: transport.lastWords }).message;
    }
    if (timedOut(thrown))
      return new CredenceError("mcp.timeout", { name, seconds: Math.round(this.#deps.limits.connectMs / 1000) })
        .message;
    const cause = thrown instanceof Error && isCredenceError(thrown.cause) ? thrown.cause.message : null;
    return (
      cause ?? new CredenceError("mcp.did-not-start", { name, detail: "it does not answer as a tool server" }).message
    );
  }

  #callProblem(thrown: unknown): CredenceError {
    const { name } = this.server;
    if (isCredenceError(thrown)) return thrown;
    if (timedOut(thrown)) {
      if (++this.#hangs >= this.#deps.limits.hangs) this.#startAnew();
      return new CredenceError(
        "mcp.timeout",
        { name, seconds: Math.round(this.#deps.limits.callMs / 1000) },
        { cause: thrown },
      );
    }
    if (thrown instanceof McpError && thrown.code === ErrorCode.ConnectionClosed) {
      return new CredenceError("mcp.gone", { name }, { cause: thrown });
    }
    const detail = thrown instanceof Error ? thrown.message.slice(0, 500) : "no reason given";
    return new CredenceError("mcp.failed", { name, detail }, { cause: thrown });
  }

  /** A server that hangs is ended; what ended is started again. */
  #startAnew(): void {
    this.#hangs = 0;
    void this.#client?.close().catch(() => {});
  }
}

function timedOut(thrown: unknown): boolean {
  return thrown instanceof McpError && thrown.code === ErrorCode.RequestTimeout;
}

/** The text of a tool's result; what is not text is named. */
function textOf(result: Awaited<ReturnType<Client["callTool"]>>): string {
  const parts: string[] = [];
  if (Array.isArray(result.content)) {
    for (const part of result.content as readonly Record<string, unknown>[]) {
      if (part["type"] === "text") parts.push(String(part["text"]));
      else if (part["type"] === "resource") parts.push(resourceText(part["resource"]));
      else if (part["type"] === "resource_link")
        parts.push(`[${String(part["name"] ?? "resource")}: ${String(part["uri"] ?? "")}]`);
      else parts.push(`[${String(part["type"])}, not shown]`);
    }
  }
  if (parts.length === 0 && result.structuredContent !== undefined)
    parts.push(JSON.stringify(result.structuredContent, null, 1));
  return parts.join("\n\n");
}

function resourceText(resource: unknown): string {
  if (typeof resource !== "object" || resource === null) return "";
  if ("text" in resource && typeof resource.text === "string") return resource.text;
  return `[${"uri" in resource ? String(resource.uri) : "resource"}, not text]`;
}
