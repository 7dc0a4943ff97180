import { z } from "zod";
import { defineMethods } from "./define.ts";

export const RouteAction = z.enum(["answer", "recall_memory", "search_library", "feeds", "beliefs", "web_research"]);

export const Route = z.object({
  action: RouteAction,
  /** 0..1 */
  confidence: z.number().min(0).max(1),
  proposer: z.enum(["native", "grammar", "harness"]),
  /** In words: "asks to look on the web". */
  reason: z.string(),
});
export type Route = z.infer<typeof Route>;

export const ToolInfo = z.object({
  name: z.string(),
  description: z.string(),
  safety: z.enum(["safe", "sensitive", "destructive"]),
  /** Why it cannot be used now; null when it can. */
  unavailable: z.string().nullable(),
  /** The standing rule for it, when there is one. */
  rule: z.enum(["allow", "deny"]).nullable(),
  breaker: z.enum(["closed", "open", "half-open"]),
  /** The tool server it comes from; null for built-in ones. */
  server: z.string().nullable(),
});
export type ToolInfo = z.infer<typeof ToolInfo>;

export const McpTransport = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("stdio"),
    command: z.string().min(1).max(1000),
    args: z.array(z.string().max(2000)).max(64),
    /** Added to a bare environment (PATH, HOME, language). */
    env: z.record(z.string(), z.string().max(8000)),
  }),
  z.object({ kind: z.literal("http"), url: z.url().max(2000), headers: z.record(z.string(), z.string().max(8000)) }),
]);
export type McpTransport = z.infer<typeof McpTransport>;

export const McpServer = z.object({
  id: z.string(),
  name: z.string(),
  transport: McpTransport,
  enabled: z.boolean(),
  state: z.enum(["off", "connecting", "ready", "failed"]),
  /** In words, when failed. */
  problem: z.string().nullable(),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      safety: z.enum(["safe", "sensitive", "destructive"]),
    }),
  ),
});
export type McpServer = z.infer<typeof McpServer>;

export const toolMethods = defineMethods({
  /** Where the answer to a message lies, as the harness sees it. */
  "tools.route": { params: z.object({ text: z.string() }), result: Route },
  "tools.list": { params: z.object({}), result: z.array(ToolInfo) },
  /** Takes a standing "always" or "never" back: the tool asks again. */
  "tools.forgetRule": { params: z.object({ tool: z.string() }), result: z.null() },
  "mcp.list": { params: z.object({}), result: z.array(McpServer) },
  "mcp.add": {
    params: z.object({
      name: z.string().trim().min(1).max(60),
      transport: McpTransport,
      enabled: z.boolean().optional(),
    }),
    result: McpServer,
  },
  "mcp.setEnabled": { params: z.object({ id: z.string(), enabled: z.boolean() }), result: McpServer },
  "mcp.setSafety": {
    params: z.object({ id: z.string(), tool: z.string(), safety: z.enum(["safe", "sensitive", "destructive"]) }),
    result: McpServer,
  },
  "mcp.remove": { params: z.object({ id: z.string() }), result: z.null() },
});
