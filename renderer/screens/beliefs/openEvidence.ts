import type { BeliefEvidence } from "../../../core/contract/index.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { screens } from "../index.ts";

const screenOf: Readonly<Record<BeliefEvidence["kind"], string | null>> = {
  message: "chat",
  document: "library",
  feed: "feeds",
  memory: "memory",
  user: null,
};

/** Whether there is a place that shows this source. */
export function canOpen(evidence: BeliefEvidence): boolean {
  const screen = screenOf[evidence.kind];
  return screen !== null && screens.some((each) => each.id === screen);
}

/** Goes to the exact passage, message or entry. */
export function openEvidence(evidence: BeliefEvidence): void {
  const { kind, refId, sourceId } = evidence;
  if (kind === "message") navigate({ screen: "chat", path: [sourceId], query: { message: refId } });
  else if (kind === "document") navigate({ screen: "library", path: ["passage", refId] });
  else if (kind === "feed") navigate({ screen: "feeds", path: ["entry", refId] });
  else if (kind === "memory") navigate({ screen: "memory", path: [refId] });
}
