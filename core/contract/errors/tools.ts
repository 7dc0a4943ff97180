import { defineErrors } from "./define.ts";

/** Errors of tools and tool servers. */
export const toolsErrors = defineErrors({
  "tools.bad-name": {
    say: (f: { tool: string }) =>
      `“${f.tool}” cannot be a tool's name: lower case letters, digits and underscores only.`,
    retry: "never",
  },
  "tools.name-taken": {
    say: (f: { tool: string }) => `There is already a tool named ${f.tool}.`,
    retry: "never",
  },
  "tools.no-search-engine": {
    say: (_: Record<string, never>) =>
      "No search service is set up, and the question names no web address. Set up a search service under Settings, or give an address.",
    retry: "later",
  },
  "tools.search-failed": {
    say: (f: { host: string; detail: string }) => `The search service ${f.host} did not give results: ${f.detail}.`,
    retry: "later",
  },
  "mcp.name-taken": {
    say: (f: { name: string }) => `There is already a tool server named ${f.name}. Choose another name.`,
    retry: "never",
  },
  "mcp.did-not-start": {
    say: (f: { name: string; detail: string }) =>
      `The tool server ${f.name} did not start: ${f.detail}. Check its command or address.`,
    retry: "later",
  },
  "mcp.timeout": {
    say: (f: { name: string; seconds: number }) =>
      `The tool server ${f.name} did not answer within ${f.seconds} seconds.`,
    retry: "later",
  },
  "mcp.gone": {
    say: (f: { name: string }) => `The tool server ${f.name} has ended. It is started again when it is next needed.`,
    retry: "now",
  },
  "mcp.failed": {
    say: (f: { name: string; detail: string }) => `The tool server ${f.name} reported a problem: ${f.detail}`,
    retry: "later",
  },
  "mcp.flooded": {
    say: (f: { name: string; limitBytes: number }) =>
      `The tool server ${f.name} sent more than ${Math.round(f.limitBytes / 1_000_000)} MB and was stopped.`,
    retry: "never",
  },
});
