import type { Clock } from "../../platform/index.ts";
import type { BuiltInPorts } from "../ports.ts";
import type { AnyTool } from "../types.ts";
import { askUser } from "./ask-user.ts";
import { integrateKnowledge, lookUpBeliefs } from "./beliefs.ts";
import { lookUpFeeds } from "./feeds.ts";
import { readDocument, searchLibrary } from "./library.ts";
import { recallMemory } from "./recall-memory.ts";

/** The built-in tools whose ports are there. */
export function builtInTools(ports: BuiltInPorts, clock: Clock): AnyTool[] {
  return [
    askUser,
    ...(ports.memory ? [recallMemory(ports.memory)] : []),
    ...(ports.library ? [searchLibrary(ports.library), readDocument(ports.library)] : []),
    ...(ports.knowledge ? [integrateKnowledge(ports.knowledge)] : []),
    ...(ports.beliefs ? [lookUpBeliefs(ports.beliefs)] : []),
    ...(ports.feeds ? [lookUpFeeds(ports.feeds, clock)] : []),
  ];
}
