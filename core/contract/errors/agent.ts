import { defineErrors } from "./define.ts";

/** Errors of turns and their steps. */
export const agentErrors = defineErrors({
  "agent.message-too-large": {
    say: (f: { tokens: number; budget: number }) =>
      `This message and the instructions need ${f.tokens.toLocaleString("en")} tokens; the model can take ${f.budget.toLocaleString("en")}. Shorten it, or choose a model with a larger window.`,
    retry: "never",
  },
  "agent.turn-not-running": {
    say: (_: { turnId: string }) => "This turn has already ended.",
    retry: "never",
  },
  "agent.nothing-to-decide": {
    say: (_: { callId: string }) => "This call does not wait for a decision any more.",
    retry: "never",
  },
  "agent.nothing-asked": {
    say: (_: { turnId: string }) => "There is no open question in this turn.",
    retry: "never",
  },
  "agent.only-answers-regenerate": {
    say: (_: { messageId: string }) => "Only an answer can be written anew.",
    retry: "never",
  },
  "agent.tool-timeout": {
    say: (f: { tool: string; seconds: number }) =>
      `${f.tool} did not finish within ${f.seconds} seconds and was stopped.`,
    retry: "later",
  },
});
