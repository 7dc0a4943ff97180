import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { McpServer as SdkServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ConversationId, TurnId } from "../../../../core/contract/index.ts";
import { createEgress, type Egress } from "../../../../core/egress/index.ts";
import { silentLog, systemClock } from "../../../../core/platform/index.ts";
import type { Connection } from "../../../../core/storage/index.ts";
import {
  createApprovalGate,
  createMcp,
  createToolRegistry,
  type Mcp,
  type ToolContext,
  type ToolRegistry,
} from "../../../../core/tools/index.ts";
import { MCP_LIMITS } from "../../../../core/tools/mcp/connection.ts";
import { migratedDatabase } from "../../../support/profile.ts";

const program = fileURLToPath(new URL("../../../fixtures/mcp/stdio-server.mjs", import.meta.url));
const policy = { conversationId: "c" as ConversationId, ephemeral: false };
const limits = {
  ...MCP_LIMITS,
  callMs: 400,
  connectMs: 20_000,
  restartMs: [50, 50, 50],
  stdio: { messageBytes: 4_000_000, floodBytes: 12_000_000, floodMessages: 500 },
};

let db: Connection;
let egress: Egress;
let registry: ToolRegistry;
let mcp: Mcp;

beforeEach(() => {
  db = migratedDatabase();
  egress = createEgress({ db, clock: systemClock, userAgent: "Credence/test", env: {}, online: () => true });
  registry = createToolRegistry();
  mcp = start();
});

afterEach(async () => {
  await mcp.close();
  await egress.close();
  db.close();
});

function start(more: Partial<typeof limits> = {}): Mcp {
  return createMcp({
    db,
    egress,
    registry,
    clock: systemClock,
    log: silentLog,
    version: "0",
    limits: { ...limits, ...more },
  });
}

const stdio = (mode = "ok", env: Record<string, string> = {}) => ({
  kind: "stdio" as const,
  command: process.execPath,
  args: [program, mode],
  env,
});
const names = () => registry.available(policy).map((tool) => tool.name);

async function use(name: string, args: Record<string, unknown> = {}, signal = new AbortController().signal) {
  const tool = registry.get(name);
  if (!tool) throw new Error(`${name} is not there`);
  const context: ToolContext = {
    conversationId: policy.conversationId,
    turnId: "t" as TurnId,
    callId: "call",
    userText: "",
    scope: null,
    ephemeral: false,
    signal,
    progress: () => {},
  };
  return tool.execute(tool.schema.parse(args), context);
}

describe("a tool server over stdio", () => {
  it("brings its tools while it is there, sensitive until the user says otherwise", async () => {
    const server = await mcp.add("Sums & more", stdio(), true);
    expect(server).toMatchObject({ state: "ready", problem: null, enabled: true });
    expect(names()).toContain("mcp_sums_more_add");
    const tool = registry.get("mcp_sums_more_add")!;
    const gate = createApprovalGate({ db, clock: systemClock });
    expect(gate.decide(tool, {}, policy.conversationId)).toEqual({ kind: "ask" });
    expect(mcp.serverOf("mcp_sums_more_add")).toBe("Sums & more");
    expect((await use("mcp_sums_more_add", { a: 2, b: 3 })).text).toBe("5");
    expect(tool.schema.safeParse({ a: "two" }).success).toBe(false);
    mcp.setSafety(server.id, "add", "safe");
    expect([tool.safety, gate.decide(tool, {}, policy.conversationId).kind]).toEqual(["safe", "allow"]);
    await mcp.setEnabled(server.id, false);
    expect([names(), mcp.list()[0]?.state]).toEqual([[], "off"]);
    await mcp.setEnabled(server.id, true);
    expect(registry.get("mcp_sums_more_add")?.safety).toBe("safe");
    await mcp.remove(server.id);
    expect([names(), mcp.list()]).toEqual([[], []]);
    expect(egress.requestsEver()).toBe(0);
  }, 60_000);

  it("adds and takes away tools while it runs, tells failures in words, and gets nothing of our environment but what it needs", async () => {
    process.env["SECRET_OF_OURS"] = "1";
    await mcp.add("s", stdio("noisy", { GIVEN: "yes" }), true);
    await use("mcp_s_learn");
    await expect.poll(names).toContain("mcp_s_extra");
    expect((await use("mcp_s_extra")).text).toBe("extra");
    await use("mcp_s_unlearn");
    await expect.poll(names).not.toContain("mcp_s_extra");
    await expect(use("mcp_s_fail")).rejects.toMatchObject({
      kind: "mcp.failed",
      message: "The tool server s reported a problem: the tide is out",
    });
    const environment = (await use("mcp_s_environment")).text;
    expect(environment).toContain("GIVEN");
    expect(environment).not.toContain("SECRET_OF_OURS");
    expect((await use("mcp_s_large")).text.length).toBe(1_300_000);
    delete process.env["SECRET_OF_OURS"];
  }, 60_000);

  it("that crashes loses its tools, and has them again once it was started anew", async () => {
    await mcp.add("s", stdio(), true);
    await expect(use("mcp_s_crash")).rejects.toMatchObject({ kind: "mcp.gone" });
    expect(names()).toEqual([]);
    await expect.poll(names, { timeout: 20_000 }).toContain("mcp_s_add");
    expect((await use("mcp_s_add", { a: 1, b: 1 })).text).toBe("2");
  }, 60_000);

  it("that hangs costs one call's time, lets go when stopped, and is started anew when it hangs again", async () => {
    await mcp.add("s", stdio(), true);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(use("mcp_s_hang", {}, stop.signal)).rejects.toThrow();
    await expect(use("mcp_s_hang")).rejects.toMatchObject({ kind: "mcp.timeout" });
    expect((await use("mcp_s_add", { a: 1, b: 2 })).text).toBe("3");
    await expect(use("mcp_s_hang")).rejects.toMatchObject({ kind: "mcp.timeout" });
    await expect(use("mcp_s_hang")).rejects.toMatchObject({ kind: "mcp.timeout" });
    await expect.poll(names).toEqual([]);
    await expect.poll(names, { timeout: 20_000 }).toContain("mcp_s_add");
  }, 60_000);

  it("that floods is ended before it fills the memory", async () => {
    await mcp.close();
    mcp = start({ callMs: 20_000, restartMs: [] });
    await mcp.add("s", stdio(), true);
    const before = process.memoryUsage().rss;
    await expect(use("mcp_s_flood")).rejects.toThrow();
    await expect.poll(() => mcp.list()[0]?.state).toBe("failed");
    expect(mcp.list()[0]?.problem).toBe("The tool server s sent more than 4 MB and was stopped.");
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  }, 60_000);

  it("that does not start says why", async () => {
    await mcp.close();
    mcp = start({ restartMs: [], connectMs: 3_000 });
    const missing = await mcp.add("missing", { kind: "stdio", command: "/no/such/program", args: [], env: {} }, true);
    expect(missing).toMatchObject({
      state: "failed",
      problem: "The tool server missing did not start: there is no such program. Check its command or address.",
    });
    const crashed = await mcp.add("crashed", stdio("crash-at-start"), true);
    expect(crashed.problem).toBe(
      "The tool server crashed did not start: Missing API key. Check its command or address.",
    );
    const silent = await mcp.add("silent", stdio("silent"), true);
    expect(silent.problem).toBe("The tool server silent did not answer within 3 seconds.");
    await expect(mcp.add("Silent", stdio(), false)).rejects.toMatchObject({ kind: "mcp.name-taken" });
  }, 60_000);
});

describe("a tool server over HTTP", () => {
  let http: Server;
  let url: string;

  beforeEach(async () => {
    http = createServer((request, response) => {
      const server = new SdkServer({ name: "fixture", version: "1" });
      server.registerTool(
        "echo",
        { description: "Says it again", inputSchema: { text: z.string() } },
        async ({ text }) => ({
          content: [{ type: "text", text: `${text}, ${request.headers["x-key"]}` }],
        }),
      );
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true } as ConstructorParameters<
        typeof StreamableHTTPServerTransport
      >[0]);
      response.on("close", () => void transport.close());
      void server
        .connect(transport as Parameters<typeof server.connect>[0])
        .then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  });

  afterEach(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  it("is not reached without consent, and goes through the ledger with it", async () => {
    const refused = await mcp.add("far", { kind: "http", url, headers: { "x-key": "k" } }, true);
    expect(refused.state).toBe("failed");
    expect(refused.problem).toContain("Tools from other programs is off");
    expect(egress.requestsEver()).toBe(0);
    egress.setAllowed("mcp", true);
    const server = await mcp.setEnabled(refused.id, true);
    expect(server).toMatchObject({ state: "ready", tools: [{ name: "echo", safety: "sensitive" }] });
    expect((await use("mcp_far_echo", { text: "hello" })).text).toBe("hello, k");
    expect(egress.ledger({ purpose: "mcp" }).entries[0]).toMatchObject({ what: "Tool server far", outcome: "ok" });
    egress.setAllowed("mcp", false);
    expect(names()).toEqual([]);
    await expect(use("mcp_far_echo", { text: "hello" })).rejects.toMatchObject({
      kind: expect.stringMatching(/^(?:egress\.not-allowed|mcp\.failed)$/),
    });
  }, 60_000);
});
