import type { BeliefNote } from "../../../../core/contract/index.ts";
import { Button } from "../../../components/Button.tsx";
import { navigate } from "../../../hooks/useRoute.ts";
import { chat as words } from "../../../words/chat.ts";
import { screens } from "../../index.ts";

/** Opens the belief, where a beliefs screen exists. */
export function BeliefActions({ note }: { readonly note: BeliefNote }) {
  const { beliefId } = note;
  if (beliefId === null || !screens.some((screen) => screen.id === "beliefs")) return null;
  return (
    <Button kind="quiet" size="s" onClick={() => navigate({ screen: "beliefs", path: [beliefId] })}>
      {note.outcome === "did-not-move" ? words.why : words.open}
    </Button>
  );
}
