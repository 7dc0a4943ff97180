import type { ConversationId } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import type { AnyTool, ApprovalGate, GateDecision } from "./types.ts";

/** A rule that the user made for good. */
export interface StandingRule {
  readonly tool: string;
  readonly decision: "allow" | "deny";
  readonly decidedAt: number;
}

export interface RuledGate extends ApprovalGate {
  rules(): StandingRule[];
  /** Takes a standing rule back: the tool asks again. */
  forget(tool: string): void;
  /** A conversation is gone: its grants go with it. */
  endConversation(conversationId: ConversationId): void;
}

/** Conversations whose grants are held in memory; older ones ask again. */
const MAX_CONVERSATIONS = 500;

/**
 * Decides from the safety class, the standing rules and the conversation's grants. A conversation's grant outweighs a
 * standing rule, being newer and nearer; destructive tools are never allowed for good.
 */
export function createApprovalGate(deps: { readonly db: WritableDatabase; readonly clock: Clock }): RuledGate {
  const grants = new Map<ConversationId, Map<string, "allow" | "deny">>();

  function standing(tool: string): StandingRule | null {
    const row = deps.db
      .read<{ tool: string; decision: "allow" | "deny"; decided_at: number }>(
        "SELECT tool, decision, decided_at FROM approval_rules WHERE tool = ?",
      )
      .get(tool);
    return row ? { tool: row.tool, decision: row.decision, decidedAt: row.decided_at } : null;
  }

  function grant(conversationId: ConversationId, tool: string, decision: "allow" | "deny"): void {
    const own = grants.get(conversationId) ?? new Map<string, "allow" | "deny">();
    own.set(tool, decision);
    grants.delete(conversationId);
    grants.set(conversationId, own);
    const oldest = grants.keys().next();
    if (grants.size > MAX_CONVERSATIONS && !oldest.done) grants.delete(oldest.value);
  }

  return {
    decide(tool, args, conversationId): GateDecision {
      const own = grants.get(conversationId)?.get(tool.name);
      if (own === "deny") return { kind: "deny", reason: "The user refused this tool for this conversation." };
      const rule = standing(tool.name);
      if (own === undefined && rule?.decision === "deny")
        return { kind: "deny", reason: "The user never allows this tool." };
      if (tool.safety === "safe") return { kind: "allow", because: "It is safe." };
      if (nothingLeaves(tool, args)) return { kind: "allow", because: "Nothing leaves this machine." };
      if (own === "allow") return { kind: "allow", because: "You allowed it for this conversation." };
      if (rule?.decision === "allow" && tool.safety !== "destructive")
        return { kind: "allow", because: "You always allow it." };
      return { kind: "ask" };
    },
    remember(tool, _args, conversationId, decision, remember) {
      if (remember === "once") return "this time only";
      if (remember === "conversation" || (decision === "allow" && tool.safety === "destructive")) {
        grant(conversationId, tool.name, decision);
        return "this conversation";
      }
      // A wider decision replaces the narrower one.
      grants.get(conversationId)?.delete(tool.name);
      deps.db
        .write(
          "INSERT INTO approval_rules (tool, decision, decided_at) VALUES (?, ?, ?) ON CONFLICT (tool) DO UPDATE SET decision = excluded.decision, decided_at = excluded.decided_at",
        )
        .run(tool.name, decision, deps.clock.now());
      return decision === "allow" ? "always" : "never again";
    },
    rules() {
      return deps.db
        .read<{ tool: string; decision: "allow" | "deny"; decided_at: number }>(
          "SELECT tool, decision, decided_at FROM approval_rules ORDER BY tool",
        )
        .all()
        .map((row) => ({ tool: row.tool, decision: row.decision, decidedAt: row.decided_at }));
    },
    forget(tool) {
      deps.db.write("DELETE FROM approval_rules WHERE tool = ?").run(tool);
    },
    endConversation(conversationId) {
      grants.delete(conversationId);
    },
  };
}

/** A tool that says what would leave the machine, and says that now nothing would (the network is off). */
function nothingLeaves(tool: AnyTool, args: unknown): boolean {
  return tool.safety === "sensitive" && tool.leaves !== undefined && tool.leaves(args) === null;
}
