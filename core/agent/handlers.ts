import type { Handlers } from "../contract/index.ts";
import type { Agent } from "./agent.ts";

/** The `turns.…` methods of the contract. */
export function turnHandlers(agent: Agent): Pick<Handlers, Extract<keyof Handlers, `turns.${string}`>> {
  return {
    "turns.send": (request) => agent.send(request),
    "turns.regenerate": ({ messageId }) => agent.regenerate(messageId),
    "turns.stop": async ({ turnId }) => {
      await agent.stop(turnId);
      return null;
    },
    "turns.replay": ({ turnId, afterSeq }) => agent.replay(turnId, afterSeq),
    "turns.decide": (request) => {
      agent.decide(request);
      return null;
    },
    "turns.clarify": ({ turnId, text }) => {
      agent.clarify(turnId, text);
      return null;
    },
    "turns.trail": ({ messageId }) => agent.trail(messageId),
    "turns.artifact": ({ turnId, artifactId, offset }) => agent.artifact(turnId, artifactId, offset ?? 0),
  };
}
