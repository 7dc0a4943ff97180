import { CredenceError } from "../contract/index.ts";
import type { AnyTool, ToolPolicy, ToolRegistry } from "./types.ts";

/** Decides which tools a conversation may have, beside their own availability. */
export type PolicyFilter = (tool: AnyTool, policy: ToolPolicy) => boolean;

/** In a conversation that leaves no trace nothing is stored, so tools that only store are not offered. */
export const standardPolicy: PolicyFilter = (tool, policy) => !(policy.ephemeral && STORES.has(tool.name));

const STORES: ReadonlySet<string> = new Set(["integrate_knowledge"]);

/** The registry with a view for the settings. */
export interface ListedRegistry extends ToolRegistry {
  /** All tools, those that cannot be used now included. */
  all(): readonly AnyTool[];
}

/** Tools that come and go while turns run. `listener`s that throw do not keep others from hearing. */
export function createToolRegistry(allows: PolicyFilter = standardPolicy): ListedRegistry {
  const tools = new Map<string, AnyTool>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch {
        // A listener's own trouble is its own.
      }
    }
  };
  return {
    register(tool) {
      if (!/^[a-z][a-z0-9_]{0,63}$/.test(tool.name)) throw new CredenceError("tools.bad-name", { tool: tool.name });
      if (tools.has(tool.name)) throw new CredenceError("tools.name-taken", { tool: tool.name });
      tools.set(tool.name, tool);
      changed();
      return () => {
        // Only the tool that was put in is taken out, not one that has its name since.
        if (tools.get(tool.name) !== tool) return;
        tools.delete(tool.name);
        changed();
      };
    },
    get: (name) => tools.get(name),
    all: () => [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    available(policy) {
      return [...tools.values()]
        .filter((tool) => allows(tool, policy) && (tool.unavailable?.() ?? null) === null)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
