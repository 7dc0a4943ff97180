import { useId, useState } from "react";
import type { BeliefSummary } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { ConfirmDialog, Dialog } from "../../components/Dialog.tsx";
import { toast } from "../../components/toasts.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { shared } from "../../words/shared.ts";

interface Props {
  readonly belief: BeliefSummary;
  readonly onClose: () => void;
}

/** Asks why, freezes the belief, and lists what would settle it. */
export function DisputeDialog({ belief, settledBy, onClose }: Props & { readonly settledBy: readonly string[] }) {
  const id = useId();
  const [reason, setReason] = useState("");
  const freeze = async () => {
    if (await act("beliefs.dispute", { id: belief.id, reason })) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.disputeTitle}
      description={words.disputeDetail}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" onClick={() => void freeze()}>
            {words.freeze}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="labelled">
          <label className="lab" htmlFor={id}>
            {words.disputeReason}
          </label>
          <textarea
            id={id}
            className="area"
            rows={3}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <Settling by={settledBy} />
      </div>
    </Dialog>
  );
}

export function Settling({ by }: { readonly by: readonly string[] }) {
  return (
    <div>
      <h3 className="lab">{words.wouldSettle}</h3>
      <ul className="settle dim">
        {by.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** Changes the words, never a number. */
export function EditDialog({ belief, onClose }: Props) {
  const id = useId();
  const [statement, setStatement] = useState(belief.statement);
  const save = async () => {
    if (await act("beliefs.edit", { id: belief.id, statement })) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.editTitle}
      description={words.editDetail}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" disabled={statement.trim() === ""} onClick={() => void save()}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className="labelled">
        <label className="lab" htmlFor={id}>
          {words.statement}
        </label>
        <textarea
          id={id}
          className="area"
          rows={3}
          maxLength={400}
          value={statement}
          onChange={(event) => setStatement(event.target.value)}
        />
      </div>
    </Dialog>
  );
}

/** Says what goes and what stays; can be taken back from the toast. */
export function DeleteDialog({ belief, onClose }: Props) {
  const remove = async () => {
    onClose();
    if (!(await act("beliefs.remove", { id: belief.id }))) return;
    navigate({ screen: "beliefs" });
    toast({ text: words.removed, undo: () => void act("beliefs.restore", { id: belief.id }) });
  };
  return (
    <ConfirmDialog
      open
      danger
      title={words.removeTitle}
      description={belief.statement}
      confirm={words.remove}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p className="dim">{words.removeDetail(belief.supports + belief.contradicts)}</p>
    </ConfirmDialog>
  );
}
