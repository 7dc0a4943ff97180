/** The model chooses under a grammar: one short structured call picks a tool or "answer", with the words to look for. */
import { z } from "zod";
import { isCredenceError } from "../../contract/index.ts";
import type { ChatMessage, ChatModel } from "../../models/types.ts";
import type { AnyTool } from "../../tools/types.ts";
import { TOOL_OF } from "./harness.ts";
import { addressesIn, depthOf } from "./query.ts";
import type { Proposal, ProposalRequest, Proposer } from "./types.ts";

const EXAMPLES: readonly (readonly [message: string, action: string, query: string])[] = [
  ["Hi, how are you?", "answer", ""],
  ["What did I say about my mother's operation?", "recall_memory", "mother's operation"],
  ["Write a poem about the sea", "answer", ""],
  ["What does the lease say about pets?", "search_library", "lease pets"],
  ["Anything new about heat pumps?", "look_up_feeds", "heat pumps"],
  ["What is the capital of Peru?", "answer", ""],
  ["What do you believe about coffee, and why?", "look_up_beliefs", "coffee"],
  ["Look up the price of gold on the web", "web_research", "price of gold"],
  ["Remember that my son is called Tim", "answer", ""],
  ["Which of my files mention the roof?", "search_library", "roof"],
];

/** The tokens that a choice may take: a name and a short query. */
const CHOICE_TOKENS = 64;

export const grammarProposer: Proposer = {
  kind: "grammar",
  async propose(request) {
    if (request.past.length > 0 && request.plan === "" && request.iteration > 3) {
      return {
        proposal: { kind: "answer", confidence: 1, reason: "Enough was tried." },
        promptTokens: 0,
        generatedTokens: 0,
      };
    }
    const choice = await choose(request);
    if (!choice) {
      return {
        proposal: { kind: "answer", confidence: 0.3, reason: "The model could not choose." },
        promptTokens: 0,
        generatedTokens: 0,
      };
    }
    const { action, query } = choice.value;
    const proposal: Proposal =
      action === "answer"
        ? { kind: "answer", confidence: 0.5, reason: "The model chose to answer." }
        : {
            kind: "calls",
            calls: [{ name: action, args: argsFor(action, query || request.userText, request.userText) }],
            confidence: 0.5,
            reason: "The model chose it.",
          };
    return { proposal, promptTokens: choice.promptTokens, generatedTokens: choice.generatedTokens };
  },
};

/** Null when the model gave no valid choice; a stop goes on to the caller. */
async function choose(request: ProposalRequest) {
  try {
    return await chooseUnderGrammar(request, request.userText, request.tools, pastLines(request.past));
  } catch (thrown) {
    request.signal.throwIfAborted();
    // An engine that is gone is the loop's to handle: it says so in degraded mode.
    if (isCredenceError(thrown) && !CHOICE_FAILURES.has(thrown.kind)) throw thrown;
    return null;
  }
}

const CHOICE_FAILURES: ReadonlySet<string> = new Set(["models.structured-invalid", "models.prompt-too-large"]);

interface Asked {
  readonly model: ChatModel;
  readonly maxPromptTokens: number;
  readonly signal: AbortSignal;
}

/** One structured choice among `tools` and "answer". Also what the aptitude check measures. */
export async function chooseUnderGrammar(asked: Asked, userText: string, tools: readonly AnyTool[], past: string) {
  const names = tools.map((tool) => tool.name);
  const schema = z.object({ action: z.enum(["answer", ...names]), query: z.string().max(80) });
  return asked.model.structured(
    {
      messages: choiceMessages(userText, tools, past),
      schema,
      maxTokens: CHOICE_TOKENS,
      maxPromptTokens: asked.maxPromptTokens,
      sampling: { temperature: 0 },
    },
    { signal: asked.signal },
  );
}

function choiceMessages(userText: string, tools: readonly AnyTool[], past: string): ChatMessage[] {
  const offered = new Set(tools.map((tool) => tool.name));
  const list = tools.map((tool) => `- ${tool.name}: ${tool.description}`).join("\n");
  const system = `Choose the next action for the user's message.\n- answer: reply directly; for greetings, general knowledge, maths, writing, and when enough was found\n${list}\nReply with JSON: the action, and as query the words to look for.`;
  const shown = EXAMPLES.filter(([, action]) => action === "answer" || offered.has(action));
  return [
    { role: "system", content: system },
    ...shown.flatMap(([message, action, query]): ChatMessage[] => [
      { role: "user", content: message },
      { role: "assistant", content: JSON.stringify({ action, query }) },
    ]),
    { role: "user", content: past === "" ? clip(userText) : `${clip(userText)}\n\nDone so far:\n${past}` },
  ];
}

function pastLines(
  past: readonly { readonly tool: string; readonly outcome: string; readonly summary: string }[],
): string {
  return past
    .slice(-8)
    .map(({ tool, outcome, summary }) => `- ${tool}: ${outcome}, ${summary}`)
    .join("\n");
}

function argsFor(action: string, query: string, message: string): Record<string, unknown> {
  if (action !== TOOL_OF.web_research) return { query };
  const addresses = addressesIn(message);
  return { question: query, depth: depthOf(message), ...(addresses.length > 0 ? { addresses } : {}) };
}

/** The choice needs the request, not what was pasted along with it. */
function clip(text: string): string {
  return text.length <= 1200 ? text : `${text.slice(0, 800)}\n…\n${text.slice(-400)}`;
}
