import { z } from "zod";
import { parametersOf } from "../parameters.ts";
import type { BeliefLookupPort, FoundBelief, KnowledgePort } from "../ports.ts";
import type { Tool } from "../types.ts";
import { NO_BELIEF } from "./nothing.ts";
import { quoted } from "./passages.ts";

const LookupArgs = z.object({
  query: z.string().max(2000).default("").describe("The topic; empty for the strongest beliefs"),
  limit: z.coerce.number().int().min(1).max(12).catch(6).default(6).describe("How many beliefs at most"),
});

/** Looks up what Credence believes, how sure it is, and on what evidence. */
export function lookUpBeliefs(beliefs: BeliefLookupPort): Tool<z.output<typeof LookupArgs>> {
  return {
    name: "look_up_beliefs",
    description: "Look up your own beliefs on a topic: how sure you are, on what evidence, and how they changed.",
    schema: LookupArgs,
    parameters: parametersOf(LookupArgs),
    safety: "safe",
    timeoutMs: 20_000,
    label: ({ query }) => (query.trim() === "" ? "Looking up beliefs" : `Looking up beliefs about ${quoted(query)}`),
    async execute({ query, limit }, context) {
      const found = await beliefs.find({ query, limit, signal: context.signal });
      if (found.length === 0) {
        return {
          text: "There is no belief about this yet: no evidence was weighed.",
          summary: NO_BELIEF,
        };
      }
      return {
        text: found.map(inWords).join("\n\n"),
        summary: `${found.length} belief${found.length === 1 ? "" : "s"}`,
      };
    },
  };
}

function inWords(belief: FoundBelief): string {
  const stance = belief.valence > 0.15 ? "leans to yes" : belief.valence < -0.15 ? "leans to no" : "undecided";
  const lines = [
    `Belief: ${belief.statement}`,
    `Stance: ${stance} (${belief.valence.toFixed(2)} of -1 to 1), confidence ${belief.confidence.toFixed(2)}, ${belief.supports} for, ${belief.contradicts} against`,
    ...belief.evidence.slice(0, 6).map((line) => `Evidence: ${line}`),
    ...belief.history.slice(0, 3).map((line) => `Changed: ${line}`),
  ];
  return lines.join("\n");
}

const IntegrateArgs = z.object({
  statements: z
    .union([
      z.array(z.string().min(1).max(2000)).min(1).max(12),
      z
        .string()
        .min(1)
        .max(2000)
        .transform((one) => [one]),
    ])
    .describe("Facts to keep, one self-contained sentence each"),
});

/** Stores propositions and lets them weigh on beliefs, by the rules. */
export function integrateKnowledge(knowledge: KnowledgePort): Tool<z.output<typeof IntegrateArgs>> {
  return {
    name: "integrate_knowledge",
    description:
      "Keep facts that the user gave, and let them weigh on your beliefs. Only for new facts with some substance.",
    schema: IntegrateArgs,
    parameters: parametersOf(IntegrateArgs),
    safety: "safe",
    timeoutMs: 60_000,
    label: ({ statements }) => `Keeping ${statements.length === 1 ? "a fact" : `${statements.length} facts`}`,
    async execute({ statements }, context) {
      const { stored, known, notes } = await knowledge.integrate({
        statements,
        userText: context.userText,
        conversationId: context.conversationId,
        turnId: context.turnId,
        signal: context.signal,
      });
      const lines = [
        `Kept ${stored} new fact${stored === 1 ? "" : "s"}; ${known} already known.`,
        ...notes.map(
          (note) => `${note.statement}: ${note.outcome === "did-not-move" ? "unchanged" : note.outcome}. ${note.why}`,
        ),
      ];
      return { text: lines.join("\n"), summary: lines[0]!, beliefs: notes };
    },
  };
}
