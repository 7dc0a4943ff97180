/** The model proposes: it gets its tools in its family's own format, and its reply is the decision. */
import type { Proposer } from "./types.ts";

export const nativeProposer: Proposer = {
  kind: "native",
  propose: async () => ({ proposal: { kind: "ask-model" }, promptTokens: 0, generatedTokens: 0 }),
};
