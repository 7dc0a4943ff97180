import { useRef, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { TextField } from "../../components/Field.tsx";
import { Switch } from "../../components/Switch.tsx";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";
import { shared } from "../../words/shared.ts";

/** Names a new collection and says whether what is in it may move beliefs. */
export function CollectionDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [moves, setMoves] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const create = async () => {
    if (name.trim() === "") return;
    const made = await act("library.createCollection", { name: name.trim(), mayMoveBeliefs: moves });
    onClose();
    if (made) navigate({ screen: "library", path: ["collection", made.value.id] });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.newCollection}
      focus={field}
      width={400}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" disabled={name.trim() === ""} onClick={() => void create()}>
            {words.create}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextField ref={field} label={words.collectionName} value={name} onChange={setName} maxLength={100} />
        <div className="row library-switch">
          <Switch label={words.collectionMoves} checked={moves} onChange={setMoves} />
          <span className="dim">{words.collectionMoves}</span>
        </div>
      </form>
    </Dialog>
  );
}
