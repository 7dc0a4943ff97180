/** The harness proposes: the router picks the place to look, and plain rules write the call. The model only phrases. */
import type { ToolCall } from "../../models/types.ts";
import { type AnyTool, wordsForNothing } from "../../tools/index.ts";
import { contentWords } from "../text.ts";
import type { Action } from "./head.ts";
import { addressesIn, beliefTopicOf, depthOf, queryOf, standingAlone } from "./query.ts";
import { requestOf } from "./request-text.ts";
import type { Router } from "./router.ts";
import type { PastAction, Proposal, ProposalRequest, Proposer } from "./types.ts";

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
        const text = request.found === 0 && !saidHere(request) ? nothingToPhrase(request.past) : null;
        if (text !== null) return free({ kind: "answer", confidence: 1, reason: "There is nothing to phrase.", text });
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

/** Words for an action that brought nothing. A weak model that is asked to phrase nothing makes something up. */
function nothingToPhrase(past: readonly PastAction[]): string | null {
  const words = past.map(({ tool, outcome, summary }) => {
    if (outcome === "ok") return wordsForNothing(tool, summary);
    if (outcome === "denied") return "You did not allow it, so I looked nothing up.";
    return outcome === "error" ? `That did not work. ${summary}` : null;
  });
  return words.every((each) => each !== null) ? [...new Set(words)].join(" ") : null;
}

/** What was said a moment ago is no memory yet: a conversation that touches the question is the model's to answer from. */
function saidHere(request: ProposalRequest): boolean {
  if (!request.past.some(({ tool }) => tool === TOOL_OF.recall_memory)) return false;
  const asked = new Set(contentWords(request.userText).filter((word) => !ASKING.has(word)));
  return request.history.some(
    (message) => message.role === "user" && contentWords(message.content).some((word) => asked.has(word)),
  );
}

/** Words of asking back, which tie a question to nothing. */
const ASKING: ReadonlySet<string> = new Set([
  "tell",
  "told",
  "say",
  "said",
  "remember",
  "mention",
  "know",
  "recall",
  "remind",
]);
