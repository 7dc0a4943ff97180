import { useRef, useState } from "react";
import type { McpTransport } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { TextField } from "../../components/Field.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { act } from "../../hooks/useAction.ts";
import { shared } from "../../words/shared.ts";
import { tools as words } from "../../words/tools.ts";
import { splitCommand } from "./splitCommand.ts";

export interface AddServerProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

/** Asks for a name and how the server is reached. */
export function AddServer({ onClose, onAdded }: AddServerProps) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<McpTransport["kind"]>("stdio");
  const [where, setWhere] = useState("");
  const [tried, setTried] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const transport = transportOf(kind, where.trim());
  const add = async () => {
    setTried(true);
    if (name.trim() === "" || !transport) return;
    if (await act("mcp.add", { name: name.trim(), transport, enabled: true })) onAdded();
  };
  const wrong = tried && !transport ? (kind === "stdio" ? words.needCommand : words.needUrl) : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.addTitle}
      description={words.addBody}
      focus={first}
      width={480}
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button kind="primary" onClick={add}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className="stack add-server">
        <TextField
          ref={first}
          label={words.name}
          value={name}
          maxLength={60}
          onChange={setName}
          problem={tried && name.trim() === "" ? words.needName : null}
        />
        <div className="labelled">
          <span className="lab">{words.kind}</span>
          <Segmented
            fill
            label={words.kind}
            value={kind}
            onChange={setKind}
            options={[
              { value: "stdio", label: words.kinds.stdio },
              { value: "http", label: words.kinds.http },
            ]}
          />
        </div>
        <TextField
          key={kind}
          label={kind === "stdio" ? words.command : words.url}
          hint={kind === "stdio" ? words.commandHint : words.urlHint}
          placeholder={kind === "stdio" ? words.commandPlaceholder : words.urlPlaceholder}
          value={where}
          spellCheck={false}
          onChange={setWhere}
          problem={wrong}
        />
      </div>
    </Dialog>
  );
}

/** The transport that the field describes, or null while it describes none. */
export function transportOf(kind: McpTransport["kind"], where: string): McpTransport | null {
  if (kind === "http") {
    if (!/^https?:\/\//i.test(where) || !URL.canParse(where)) return null;
    return { kind, url: where, headers: {} };
  }
  const [command, ...args] = splitCommand(where);
  return command ? { kind, command, args, env: {} } : null;
}
