import { useRef, useState } from "react";
import type { LibraryDocument } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { TextField } from "../../components/Field.tsx";
import { act } from "../../hooks/useAction.ts";
import { library as words } from "../../words/library.ts";
import { shared } from "../../words/shared.ts";

/** Asks for the password of a locked file. */
export function UnlockDialog({
  document,
  onClose,
}: {
  readonly document: LibraryDocument;
  readonly onClose: () => void;
}) {
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const unlock = () => {
    if (password === "") return;
    void act("library.retry", { ids: [document.id], password });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.unlockTitle(document.name)}
      description={words.unlockBody}
      focus={field}
      width={420}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" disabled={password === ""} onClick={unlock}>
            {words.unlock}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          unlock();
        }}
      >
        <TextField
          ref={field}
          label={words.password}
          type="password"
          autoComplete="off"
          value={password}
          onChange={setPassword}
        />
      </form>
    </Dialog>
  );
}
