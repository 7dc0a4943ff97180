import type { Tool as ServerTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Egress } from "../../egress/index.ts";
import type { SafetyClass, Tool } from "../types.ts";
import type { McpConnection } from "./connection.ts";

type Args = Record<string, unknown>;

/** Descriptions and schemas come from strangers and go into the prompt: they are kept short. */
const DESCRIPTION_CHARS = 600;
const SCHEMA_CHARS = 12_000;

/** A server's tool as the loop sees it. */
export function mcpTool(options: {
  readonly name: string;
  readonly tool: ServerTool;
  readonly connection: McpConnection;
  readonly egress: Egress;
  readonly safety: () => SafetyClass;
  readonly timeoutMs: number;
}): Tool<Args> {
  const { tool, connection, egress } = options;
  const { server } = connection;
  const parameters = small(tool.inputSchema);
  const overHttp = server.transport.kind === "http";
  return {
    name: options.name,
    description: `${oneLine(tool.description ?? tool.title ?? tool.name).slice(0, DESCRIPTION_CHARS)} (from ${server.name})`,
    schema: argumentsSchema(parameters),
    parameters,
    get safety() {
      return options.safety();
    },
    // The connection has its own, shorter time; this one only stands behind it.
    timeoutMs: options.timeoutMs,
    label: () => `Using ${oneLine(tool.title ?? tool.name).slice(0, 60)} of ${server.name}`,
    // Never null: what another program does with the arguments cannot be known, so it is always asked about.
    leaves: () =>
      overHttp
        ? `The arguments, to ${hostOf(server)}.`
        : `The arguments, to the program ${server.name}. What it does with them is up to it.`,
    unavailable: () => (overHttp ? egress.refusal("mcp") : null),
    async execute(args, context) {
      const text = await connection.call(tool.name, args, context.signal, (fraction) =>
        context.progress(`Waiting for ${server.name}`, fraction),
      );
      return {
        text: text === "" ? "Done, with nothing to show." : text,
        summary: `${server.name} answered, ${text.length.toLocaleString("en")} characters`,
      };
    },
  };
}

/** A name that the registry takes: "mcp_weather_get_forecast". */
export function toolName(server: string, tool: string, taken: (name: string) => boolean): string {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
  const base = `mcp_${bare(server).slice(0, 20)}_${bare(tool) || "tool"}`.slice(0, 60);
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken(name)) return name;
  }
}

function argumentsSchema(parameters: Readonly<Record<string, unknown>>): z.ZodType<Args> {
  const anything = z.record(z.string(), z.unknown());
  try {
    const exact = z.fromJSONSchema(parameters as Parameters<typeof z.fromJSONSchema>[0]);
    return anything.superRefine((args, context) => {
      const checked = exact.safeParse(args);
      for (const issue of checked.error?.issues ?? [])
        context.addIssue({ code: "custom", message: issue.message, path: [...issue.path] });
    });
  } catch {
    // A schema that cannot be read here is the server's to enforce.
    return anything;
  }
}

function small(schema: ServerTool["inputSchema"]): Readonly<Record<string, unknown>> {
  return JSON.stringify(schema).length <= SCHEMA_CHARS ? schema : { type: "object" };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}

function hostOf(server: McpConnection["server"]): string {
  return server.transport.kind === "http" ? new URL(server.transport.url).host : "";
}
