import type { Handlers } from "../contract/index.ts";
import type { RuledGate } from "./gate.ts";
import type { AnyTool, CircuitBreaker } from "./types.ts";

/** What the settings show of tools. */
export function toolHandlers(deps: {
  readonly tools: () => readonly AnyTool[];
  readonly gate: RuledGate;
  readonly breaker: CircuitBreaker;
  readonly serverOf: (tool: string) => string | null;
}): Pick<Handlers, "tools.list" | "tools.forgetRule"> {
  return {
    "tools.list": () => {
      const rules = new Map(deps.gate.rules().map((rule) => [rule.tool, rule.decision]));
      return deps.tools().map((tool) => ({
        name: tool.name,
        description: tool.description,
        safety: tool.safety,
        unavailable: tool.unavailable?.() ?? null,
        rule: rules.get(tool.name) ?? null,
        breaker: deps.breaker.state(tool.name),
        server: deps.serverOf(tool.name),
      }));
    },
    "tools.forgetRule": ({ tool }) => {
      deps.gate.forget(tool);
      return null;
    },
  };
}
