import type { BeliefNote } from "../../../../core/contract/index.ts";
import { Button } from "../../../components/Button.tsx";
import { toast } from "../../../components/toasts.ts";
import { act } from "../../../hooks/useAction.ts";
import { navigate } from "../../../hooks/useRoute.ts";
import { beliefs } from "../../../words/beliefs.ts";
import { chat as words } from "../../../words/chat.ts";
import { shared } from "../../../words/shared.ts";
import { screens } from "../../index.ts";

/** Opens the belief, where a beliefs screen exists, and takes a change back. */
export function BeliefActions({ note }: { readonly note: BeliefNote }) {
  const { beliefId, revisionId } = note;
  if (beliefId === null || !screens.some((screen) => screen.id === "beliefs")) return null;
  const undo = async (id: string) => {
    if (!(await act("beliefs.undo", { revisionId: id }))) return;
    toast({ text: beliefs.rolledBack, undo: () => void act("beliefs.redo", { revisionId: id }) });
  };
  return (
    <>
      <Button kind="quiet" size="s" onClick={() => navigate({ screen: "beliefs", path: [beliefId] })}>
        {note.outcome === "did-not-move" ? words.why : words.open}
      </Button>
      {revisionId !== null && note.outcome !== "did-not-move" && (
        <Button kind="quiet" size="s" onClick={() => void undo(revisionId)}>
          {shared.undo}
        </Button>
      )}
    </>
  );
}
