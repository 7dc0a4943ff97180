import { useRef, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { Chip } from "../../../components/Chip.tsx";
import { Dialog } from "../../../components/Dialog.tsx";
import { TextField } from "../../../components/Field.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { Segmented } from "../../../components/Segmented.tsx";
import { act } from "../../../hooks/useAction.ts";
import { useShortcut } from "../../../keyboard/useShortcut.ts";
import { useActivePart } from "../../../turns/useTurn.ts";
import type { TurnView } from "../../../turns/view.ts";
import { approval as words } from "../../../words/approval.ts";
import { ArgumentList } from "./ArgumentList.tsx";
import "./approval.css";

type Remember = "once" | "conversation" | "always";

/** Asks for permission. Neither button is coloured and the focus starts on refusal: this must be the user's decision. */
export function ApprovalDialog({ conversationId }: { readonly conversationId: string }) {
  const request = useActivePart(conversationId, firstRequest) ?? null;
  const step = useActivePart(conversationId, iterationOf) ?? 1;
  return request ? <Request key={request.callId} step={Math.max(1, step)} request={request} /> : null;
}

const firstRequest = (turn: TurnView) => turn.approvals[0];
const iterationOf = (turn: TurnView) => turn.iteration;

interface RequestProps {
  readonly step: number;
  readonly request: TurnView["approvals"][number];
}

function Request({ step, request }: RequestProps) {
  const [remember, setRemember] = useState<Remember>("once");
  const [reason, setReason] = useState("");
  const [sent, setSent] = useState(false);
  const refuse = useRef<HTMLButtonElement>(null);
  const decide = async (decision: "allow" | "deny") => {
    if (sent) return;
    setSent(true);
    const done = await act("turns.decide", {
      turnId: request.turnId,
      callId: request.callId,
      decision,
      remember,
      ...(decision === "deny" && reason.trim() ? { reason: reason.trim() } : {}),
    });
    if (!done) setSent(false);
  };
  useShortcut({ keys: "mod+enter", inFields: true, run: () => void decide("allow") });
  const leaves = request.leaves?.split("\n").filter((line) => line.trim() !== "") ?? [];
  return (
    <Dialog
      alert
      open
      width={560}
      focus={refuse}
      onClose={() => void decide("deny")}
      title={words.title(request.tool)}
      description={words.waiting(
        words.known(request.tool) ? "" : request.label.replace(/[.]$/, ""),
        step,
        leaves.length > 0,
      )}
      footer={
        <>
          <span className="f12 faint grow">{words.noHurry}</span>
          <Button ref={refuse} size="l" keys="escape" disabled={sent} onClick={() => decide("deny")}>
            {words.refuse[remember]}
          </Button>
          <Button size="l" keys="mod+enter" disabled={sent} onClick={() => decide("allow")}>
            {words.allow[remember]}
          </Button>
        </>
      }
    >
      <section className="ap-part">
        <h3 className="lab">{leaves.length > 0 ? words.leaves : words.stays}</h3>
        <ul className="ap-leaves">
          {leaves.length === 0 && (
            <li>
              <Icon name="lock" />
              {request.safety === "destructive" ? words.nothingLeavesDestructive : words.nothingLeaves}
            </li>
          )}
          {leaves.map((line) => (
            <li key={line}>
              <Icon name="globe" />
              {line}
            </li>
          ))}
        </ul>
      </section>
      <section className="ap-part">
        <div className="row">
          <h3 className="lab grow">{words.args}</h3>
          <Chip tone="mono">{request.tool}</Chip>
          <Chip icon={request.safety === "destructive" ? "alert" : "globe"}>{words.safety[request.safety]}</Chip>
        </div>
        <ArgumentList args={request.args} />
      </section>
      <section className="ap-part">
        <h3 className="lab">{words.remember}</h3>
        <Segmented
          fill
          label={words.remember}
          value={remember}
          onChange={setRemember}
          options={[
            { value: "once", label: words.rememberOnce },
            { value: "conversation", label: words.rememberConversation },
            { value: "always", label: words.rememberAlways },
          ]}
        />
        <p className="f12 faint ap-note">{words.rememberNote[remember]}</p>
      </section>
      <section className="ap-part">
        <TextField
          hideLabel
          label={words.reason}
          placeholder={words.reason}
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
      </section>
    </Dialog>
  );
}
