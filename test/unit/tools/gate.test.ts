import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ConversationId } from "../../../core/contract/index.ts";
import { ManualClock } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { type AnyTool, createApprovalGate, type RuledGate, type SafetyClass } from "../../../core/tools/index.ts";
import { migratedDatabase } from "../../support/profile.ts";

const here = "here" as ConversationId;
const elsewhere = "elsewhere" as ConversationId;

function tool(safety: SafetyClass, leaves?: (args: unknown) => string | null): AnyTool {
  return {
    name: `a_${safety}_tool`,
    description: "",
    schema: z.object({}),
    parameters: {},
    safety,
    timeoutMs: 1,
    label: () => "",
    ...(leaves ? { leaves } : {}),
    execute: async () => ({ text: "", summary: "" }),
  };
}

let db: Connection;
let gate: RuledGate;

beforeEach(() => {
  db = migratedDatabase();
  gate = createApprovalGate({ db, clock: new ManualClock() });
});

const kind = (which: AnyTool, conversation = here) => gate.decide(which, {}, conversation).kind;

describe("the gate", () => {
  it("allows what is safe and asks for the rest", () => {
    expect([kind(tool("safe")), kind(tool("sensitive")), kind(tool("destructive"))]).toEqual(["allow", "ask", "ask"]);
  });

  it("does not ask for a sensitive call of which nothing leaves the machine", () => {
    expect(kind(tool("sensitive", () => null))).toBe("allow");
    expect(kind(tool("sensitive", () => "your words"))).toBe("ask");
    expect(kind(tool("destructive", () => null))).toBe("ask");
  });

  it("forgets a decision for once at once", () => {
    const one = tool("sensitive");
    expect(gate.remember(one, {}, here, "allow", "once")).toBe("this time only");
    expect(gate.remember(one, {}, here, "deny", "once")).toBe("this time only");
    expect(kind(one)).toBe("ask");
  });

  it("keeps a conversation's grant in that conversation, until it ends", () => {
    const one = tool("sensitive");
    expect(gate.remember(one, {}, here, "allow", "conversation")).toBe("this conversation");
    expect([kind(one, here), kind(one, elsewhere)]).toEqual(["allow", "ask"]);
    gate.endConversation(here);
    expect(kind(one, here)).toBe("ask");
  });

  it("keeps always and never across restarts, and can take them back", () => {
    const one = tool("sensitive");
    expect(gate.remember(one, {}, here, "allow", "always")).toBe("always");
    expect(createApprovalGate({ db, clock: new ManualClock() }).decide(one, {}, elsewhere)).toEqual({
      kind: "allow",
      because: "You always allow it.",
    });
    expect(gate.remember(one, {}, here, "deny", "always")).toBe("never again");
    expect(gate.decide(one, {}, elsewhere)).toEqual({ kind: "deny", reason: "The user never allows this tool." });
    expect(gate.rules()).toMatchObject([{ tool: "a_sensitive_tool", decision: "deny" }]);
    gate.forget("a_sensitive_tool");
    expect(kind(one)).toBe("ask");
  });

  it("never allows a destructive tool for good", () => {
    const one = tool("destructive");
    expect(gate.remember(one, {}, here, "allow", "always")).toBe("this conversation");
    expect([kind(one, here), kind(one, elsewhere)]).toEqual(["allow", "ask"]);
  });

  it("lets the nearer decision win: a grant over a rule, a later rule over a grant", () => {
    const one = tool("sensitive");
    gate.remember(one, {}, here, "deny", "always");
    gate.remember(one, {}, here, "allow", "conversation");
    expect([kind(one, here), kind(one, elsewhere)]).toEqual(["allow", "deny"]);
    gate.remember(one, {}, here, "deny", "always");
    expect(kind(one, here)).toBe("deny");
  });

  it("denies a safe tool that the user never wants", () => {
    const one = tool("safe");
    gate.remember(one, {}, here, "deny", "always");
    expect(kind(one)).toBe("deny");
  });
});
