import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { TextField } from "../../components/Field.tsx";
import { toast } from "../../components/toasts.ts";
import type { BridgeError } from "../../hooks/bridge.ts";
import { asProblem, call } from "../../hooks/bridge.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { feeds as words } from "../../words/feeds.ts";
import { shared } from "../../words/shared.ts";

export interface AddFeedProps {
  /** Whether the user agreed to requests for feeds. */
  readonly allowed: boolean;
  readonly folders: readonly string[];
  readonly onClose: () => void;
}

/** Asks for an address; first for consent, when it was not given yet. */
export function AddFeed({ allowed, folders, onClose }: AddFeedProps) {
  const [address, setAddress] = useState("");
  const [folder, setFolder] = useState("");
  const [problem, setProblem] = useState<BridgeError | null>(null);
  const [found, setFound] = useState<readonly { url: string; title: string }[]>([]);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const follow = async (url: string) => {
    setBusy(true);
    setProblem(null);
    try {
      if (!allowed) await call("privacy.setPurpose", { purpose: "feeds", allowed: true });
      const result = await call("feeds.add", { address: url, folder });
      if (result.outcome === "choose") setFound(result.found);
      else {
        toast({ text: words.followed(result.feed.title) });
        navigate({ screen: "feeds", path: [result.feed.id] });
        onClose();
      }
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (address.trim()) void follow(address);
  };
  const readFile = async () => {
    const chosen = await act("shell.openFiles", { kind: "subscriptions" });
    const path = chosen?.value.paths[0];
    const added = path ? await act("feeds.addFile", { path }) : null;
    if (!added) return;
    navigate({ screen: "feeds", path: [added.value.id] });
    onClose();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={found.length > 0 ? words.chooseTitle : words.addTitle}
      description={allowed ? words.addBody : words.consentBody}
      focus={field}
      width={480}
      footer={
        <>
          <Button kind="quiet" onClick={() => void readFile()}>
            {words.fromFile}
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" type="submit" form="add-feed" disabled={busy || address.trim() === ""}>
            {allowed ? words.follow : words.consentYes}
          </Button>
        </>
      }
    >
      <form id="add-feed" className="add-feed" onSubmit={submit}>
        <TextField
          ref={field}
          label={words.address}
          value={address}
          onChange={setAddress}
          problem={problem?.message ?? null}
          placeholder="https://example.org"
          spellCheck={false}
          autoComplete="off"
        />
        <TextField label={words.folder} value={folder} onChange={setFolder} list="feed-folders" autoComplete="off" />
        <datalist id="feed-folders">
          {folders.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {found.length > 0 && (
          <ul className="add-found">
            {found.map((one) => (
              <li key={one.url}>
                <button type="button" className="li" disabled={busy} onClick={() => void follow(one.url)}>
                  <span className="cut grow">{one.title}</span>
                  <span className="mono faint cut">{one.url}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </form>
    </Dialog>
  );
}
