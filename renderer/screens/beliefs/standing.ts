import type { BeliefEvidence } from "../../../core/contract/index.ts";
import { call } from "../../hooks/bridge.ts";
import { beliefs as words } from "../../words/beliefs.ts";

/**
 * Which beliefs stand on a source that the user removes, in one sentence to go with the offer to undo; "" when none do.
 * They are worked out anew only when the source is gone for good.
 */
export async function standingOn(kind: BeliefEvidence["kind"], sourceId: string): Promise<string> {
  try {
    const { effects } = await call("beliefs.previewSource", { kind, sourceId });
    return effects.length === 0 ? "" : words.standOnIt(effects.map((effect) => effect.statement));
  } catch {
    // The removal itself does not depend on it.
    return "";
  }
}
