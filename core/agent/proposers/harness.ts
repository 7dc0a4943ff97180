/** The harness proposes: the router picks the place to look, and plain rules write the call. The model only phrases. */
import type { ToolCall } from "../../models/types.ts";
import type { AnyTool } from "../../tools/types.ts";
import type { Action } from "./head.ts";
import { addressesIn, beliefTopicOf, depthOf, queryOf, standingAlone } from "./query.ts";
import { requestOf } from "./request-text.ts";
import type { Router } from "./router.ts";
import type { Proposal, ProposalRequest, Proposer } from "./types.ts";

/** The tool that takes each action. */
export const TOOL_OF: Readonly<Record<Exclude<Action, "answer">, string>> = {
  recall_memory: "recall_memory",
  search_library: "search_library",
  feeds: "look_up_feeds",
  beliefs: "look_up_beliefs",
  web_research: "web_research",
};

/** Proposes one action for a message at most: what it finds is what the model answers from. */
export function createHarnessProposer(router: Router): Proposer {
  const free = (proposal: Proposal) => ({ proposal, promptTokens: 0, generatedTokens: 0 });
  return {
    kind: "harness",
    async propose(request) {
      if (request.past.length > 0) {
        return free({ kind: "answer", confidence: 1, reason: "What was found is enough to answer from." });
      }
      const route = await router.route(request.userText, request.signal);
      if (route.action === "answer")
        return free({ kind: "answer", confidence: route.confidence, reason: route.reason });
      const tool = request.tools.find(
        (candidate) => candidate.name === TOOL_OF[route.action as Exclude<Action, "answer">],
      );
      if (!tool) {
        return free({
          kind: "answer",
          confidence: route.confidence,
          reason: `${route.reason}, but nothing can look there now`,
        });
      }
      return free({
        kind: "calls",
        calls: [callFor(tool, request.userText, previousOf(request.history))],
        confidence: route.confidence,
        reason: route.reason,
      });
    },
  };
}

function callFor(tool: AnyTool, message: string, before: string | null): ToolCall {
  const request = requestOf(message).text;
  const own = tool.name === TOOL_OF.beliefs ? beliefTopicOf(request) : queryOf(request);
  const addresses = addressesIn(message);
  // An address says by itself what is meant.
  const query = addresses.length > 0 ? own : standingAlone(own, before);
  if (tool.name !== TOOL_OF.web_research) return { name: tool.name, args: { query } };
  return {
    name: tool.name,
    args: { question: query, depth: depthOf(message), ...(addresses.length > 0 ? { addresses } : {}) },
  };
}

/** The user's message before this one. */
function previousOf(history: ProposalRequest["history"]): string | null {
  return history.findLast((message) => message.role === "user")?.content ?? null;
}
