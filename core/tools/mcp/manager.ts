import type { Tool as ServerTool } from "@modelcontextprotocol/sdk/types.js";
import type { Handlers, McpServer } from "../../contract/index.ts";
import type { Egress } from "../../egress/index.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import type { ToolRegistry } from "../types.ts";
import { MCP_LIMITS, McpConnection, type McpLimits } from "./connection.ts";
import { mcpTool, toolName } from "./mcp-tool.ts";
import { McpStore, type StoredServer } from "./store.ts";

export interface McpDeps {
  readonly db: WritableDatabase;
  readonly egress: Egress;
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly onChanged?: () => void;
  readonly limits?: McpLimits;
}

interface Held {
  readonly connection: McpConnection;
  /** Tools as the server names them, and how to take each out of the registry. */
  tools: Map<string, { readonly name: string; readonly tool: ServerTool; readonly leave: () => void }>;
}

export type Mcp = ReturnType<typeof createMcp>;

/** Tool servers: set up by the user, connected in the background, their tools registered while they are there. */
export function createMcp(deps: McpDeps) {
  const store = new McpStore(deps.db, deps.clock);
  const limits = deps.limits ?? MCP_LIMITS;
  const held = new Map<string, Held>();
  const changed = () => deps.onChanged?.();

  function connect(server: StoredServer): Promise<void> {
    const connection = new McpConnection(server, {
      egress: deps.egress,
      clock: deps.clock,
      log: deps.log,
      version: deps.version,
      limits,
      onTools: (tools) => place(server.id, tools),
      onState: changed,
    });
    held.set(server.id, { connection, tools: new Map() });
    return connection.open();
  }

  /** Puts what the server offers now into the registry, and takes out what it no longer offers. */
  function place(id: string, tools: readonly ServerTool[]): void {
    const own = held.get(id);
    if (!own) return;
    const offered = new Map(tools.map((tool) => [tool.name, tool]));
    for (const [tool, entry] of own.tools) {
      if (JSON.stringify(offered.get(tool)) === JSON.stringify(entry.tool)) continue;
      entry.leave();
      own.tools.delete(tool);
    }
    for (const [key, tool] of offered) {
      if (own.tools.has(key)) continue;
      const name = toolName(own.connection.server.name, key, (taken) => deps.registry.get(taken) !== undefined);
      const leave = deps.registry.register(
        mcpTool({
          name,
          tool,
          connection: own.connection,
          egress: deps.egress,
          safety: () => safetyOf(id, key),
          timeoutMs: limits.callMs + 5_000,
        }),
      );
      own.tools.set(key, { name, tool, leave });
    }
    changed();
  }

  function safetyOf(id: string, tool: string) {
    const safety = store.list().find((server) => server.id === id)?.safety;
    return (safety && Object.hasOwn(safety, tool) ? safety[tool] : undefined) ?? "sensitive";
  }

  async function disconnect(id: string): Promise<void> {
    const own = held.get(id);
    if (!own) return;
    await own.connection.close();
    held.delete(id);
    changed();
  }

  function describe(server: StoredServer): McpServer {
    const own = held.get(server.id);
    return {
      id: server.id,
      name: server.name,
      transport: server.transport,
      enabled: server.enabled,
      state: own?.connection.state ?? "off",
      problem: own?.connection.problem ?? null,
      tools: [...(own?.tools ?? [])].map(([key, { tool }]) => ({
        name: key,
        title: tool.title ?? key,
        description: tool.description ?? "",
        safety: safetyOf(server.id, key),
      })),
    };
  }

  return {
    /** Connects every enabled server in the background. */
    start(): void {
      for (const server of store.list()) if (server.enabled && !held.has(server.id)) void connect(server);
    },
    list: () => store.list().map(describe),
    /** Sets a server up and connects to it; answers when it is ready or has failed. */
    async add(name: string, transport: McpServer["transport"], enabled: boolean): Promise<McpServer> {
      const server = store.add(name, transport, enabled);
      if (enabled) await connect(server);
      return describe(server);
    },
    async setEnabled(id: string, enabled: boolean): Promise<McpServer> {
      const server = store.setEnabled(id, enabled);
      await disconnect(id);
      if (enabled) await connect(server);
      return describe(server);
    },
    setSafety(id: string, tool: string, safety: McpServer["tools"][number]["safety"]): McpServer {
      const server = store.setSafety(id, tool, safety);
      changed();
      return describe(server);
    },
    async remove(id: string): Promise<void> {
      store.get(id);
      await disconnect(id);
      store.remove(id);
      changed();
    },
    /** The server that a registered tool comes from; null for other tools. */
    serverOf(name: string): string | null {
      for (const { connection, tools } of held.values()) {
        for (const entry of tools.values()) if (entry.name === name) return connection.server.name;
      }
      return null;
    },
    async close(): Promise<void> {
      await Promise.all([...held.keys()].map(disconnect));
    },
  };
}

export function mcpHandlers(mcp: Mcp): Pick<Handlers, `mcp.${string}` & keyof Handlers> {
  return {
    "mcp.list": () => mcp.list(),
    "mcp.add": ({ name, transport, enabled }) => mcp.add(name, transport, enabled ?? true),
    "mcp.setEnabled": ({ id, enabled }) => mcp.setEnabled(id, enabled),
    "mcp.setSafety": ({ id, tool, safety }) => mcp.setSafety(id, tool, safety),
    "mcp.remove": async ({ id }) => {
      await mcp.remove(id);
      return null;
    },
  };
}
