import { expect, it } from "vitest";
import { z } from "zod";
import type { ConversationId } from "../../../core/contract/index.ts";
import { type AnyTool, createToolRegistry } from "../../../core/tools/index.ts";

const policy = { conversationId: "c" as ConversationId, ephemeral: false };

function tool(name: string, more: Partial<AnyTool> = {}): AnyTool {
  return {
    name,
    description: name,
    schema: z.object({}),
    parameters: { type: "object" },
    safety: "safe",
    timeoutMs: 1000,
    label: () => name,
    execute: async () => ({ text: "", summary: "" }),
    ...more,
  };
}

it("tools come and leave at run time, in a stable order, and whoever listens hears of it", () => {
  const registry = createToolRegistry();
  let heard = 0;
  const stop = registry.onChange(() => heard++);
  registry.onChange(() => {
    throw new Error("a listener's own trouble");
  });
  const leave = registry.register(tool("second"));
  registry.register(tool("first"));
  expect(registry.available(policy).map((each) => each.name)).toEqual(["first", "second"]);
  leave();
  leave();
  expect(registry.available(policy).map((each) => each.name)).toEqual(["first"]);
  expect(registry.get("second")).toBeUndefined();
  stop();
  registry.register(tool("third"));
  expect(heard).toBe(3);
});

it("a name is taken once, and leaving never takes out a successor of the same name", () => {
  const registry = createToolRegistry();
  const leave = registry.register(tool("one"));
  expect(() => registry.register(tool("one"))).toThrow(/already a tool named one/);
  leave();
  const successor = tool("one");
  registry.register(successor);
  leave();
  expect(registry.get("one")).toBe(successor);
  expect(() => registry.register(tool("Not a name"))).toThrow(/cannot be a tool's name/);
});

it("a tool that cannot run now, or that stores in a conversation without trace, is not offered", () => {
  const registry = createToolRegistry();
  let reason: string | null = "The network is off.";
  registry.register(tool("away", { unavailable: () => reason }));
  registry.register(tool("integrate_knowledge"));
  expect(registry.available(policy).map((each) => each.name)).toEqual(["integrate_knowledge"]);
  reason = null;
  expect(registry.available({ ...policy, ephemeral: true }).map((each) => each.name)).toEqual(["away"]);
});
