import { useId, useState } from "react";
import type { EvidenceVerdict } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { TextField } from "../../components/Field.tsx";
import { act } from "../../hooks/useAction.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { shared } from "../../words/shared.ts";

/** Evidence by hand: weighed like any other, and the verdict is shown with its reasons. */
export function AddEvidence({ beliefId, onClose }: { readonly beliefId: string | null; readonly onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [title, setTitle] = useState("");
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ verdict: EvidenceVerdict; moved: boolean; why: string } | null>(null);
  const weigh = async () => {
    setBusy(true);
    const done = await act("beliefs.add", {
      text: text.trim(),
      ...(title.trim() ? { title: title.trim() } : {}),
      ...(beliefId ? { beliefId } : {}),
    });
    setBusy(false);
    if (!done) return;
    const { verdict, notes } = done.value;
    const moved = notes.some((note) => note.outcome !== "did-not-move");
    setOutcome({ verdict, moved, why: notes.find((note) => note.outcome === "did-not-move")?.why ?? "" });
    if (moved) setText("");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.addTitle}
      description={beliefId ? words.addDetail : words.addDetailNew}
      width={520}
      footer={
        <>
          <Button onClick={onClose}>{outcome ? shared.close : shared.cancel}</Button>
          <Button kind="primary" disabled={busy || text.trim() === ""} onClick={() => void weigh()}>
            {busy ? words.weighing : words.weigh}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="labelled">
          <label className="lab" htmlFor={id}>
            {words.addText}
          </label>
          <textarea
            id={id}
            className="area"
            rows={5}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setOutcome(null);
            }}
          />
        </div>
        <TextField label={words.addSource} value={title} onChange={setTitle} maxLength={200} />
        {outcome && (
          <div className="verdict" role="status">
            <p className="m">{outcome.moved ? words.verdictMoves : words.verdictStays}</p>
            <p className="f12 dim num">
              {words.types[outcome.verdict.reasoningType]}, {words.strength} {outcome.verdict.strength.toFixed(2)},{" "}
              {words.scorer(outcome.verdict.scorer)}.{" "}
              {outcome.moved ? "" : outcome.why || outcome.verdict.reasons.join(" ")}
            </p>
          </div>
        )}
      </div>
    </Dialog>
  );
}
