import type { BeliefRevision } from "../../../core/contract/index.ts";
import { ConfirmDialog } from "../../components/Dialog.tsx";
import { Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { signed } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { useUndoPreview } from "./useBeliefs.ts";

/** What taking a step back changes, belief by belief and step by step, before it is done. */
export function UndoDialog({ row, onClose }: { readonly row: BeliefRevision; readonly onClose: () => void }) {
  const { data: effect, problem } = useUndoPreview(row.id);
  const undo = async () => {
    onClose();
    const done = await act("beliefs.undo", { revisionId: row.id });
    if (done) {
      toast({ text: words.rolledBack, undo: () => void act("beliefs.redo", { revisionId: row.id }) });
    }
  };
  return (
    <ConfirmDialog
      open
      title={words.rollBackTitle}
      description={row.title}
      confirm={words.rollBack}
      onConfirm={() => void undo()}
      onClose={onClose}
    >
      {problem ? (
        <p className="bad">{problem.message}</p>
      ) : !effect ? (
        <Skeleton lines={2} />
      ) : (
        <div className="stack">
          <p>
            “{effect.statement}”: <b className="num b">{signed(effect.before.valence)}</b> →{" "}
            {effect.after ? <b className="num b">{signed(effect.after.valence)}</b> : words.rollBackWould(null, 0)}
          </p>
          {effect.after && (
            <p className="f12 dim">
              {words.confidence} {effect.before.confidence.toFixed(2)} → {effect.after.confidence.toFixed(2)}
            </p>
          )}
          {effect.later.length > 0 && (
            <ul className="f12 dim later">
              {effect.later.slice(0, 12).map((step) => (
                <li key={step.revisionId}>
                  {words.laterStep(step.title, signed(step.before, 3), signed(step.after, 3))}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}
