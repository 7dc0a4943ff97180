import { CredenceScale } from "../../components/CredenceScale.tsx";
import { ConfirmDialog } from "../../components/Dialog.tsx";
import { Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { plural, signed } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { library as words } from "../../words/library.ts";
import { useRemovePreview } from "./useLibrary.ts";

export interface RemoveDialogProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Shows what stands on the documents before they go; afterwards it can be undone until the program ends. */
export function RemoveDialog({ ids, onClose, onRemoved }: RemoveDialogProps) {
  const preview = useRemovePreview(ids);
  const many = plural(ids.length, "document");
  const remove = async () => {
    onClose();
    const removed = await act("library.remove", { ids: [...ids] });
    if (!removed) return;
    onRemoved();
    toast({
      text: words.removed(plural(removed.value.removed, "document")),
      undo: () => void act("library.restore", { ids: [...ids] }),
    });
  };
  return (
    <ConfirmDialog
      open
      danger
      title={words.removeTitle(many)}
      description={preview.data ? words.removeBody(plural(preview.data.passages, "passage")) : undefined}
      confirm={words.remove}
      keep={words.keep}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      {!preview.data ? (
        <Skeleton lines={2} />
      ) : preview.data.beliefs.length === 0 ? (
        <p className="dim">{words.removeNoBeliefs}</p>
      ) : (
        <div className="library-beliefs">
          <span className="lab">{words.removeBeliefs}</span>
          {preview.data.beliefs.map((belief) => (
            <div key={belief.beliefId} className="row">
              <span className="grow">{belief.statement}</span>
              <CredenceScale value={belief.valence} width={96} />
              <b className="num">{signed(belief.valence)}</b>
            </div>
          ))}
        </div>
      )}
    </ConfirmDialog>
  );
}
