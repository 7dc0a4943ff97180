import type { ReactNode } from "react";
import type { BeliefNote as Note } from "../../core/contract/index.ts";
import { signed } from "../format/numbers.ts";
import { shared } from "../words/shared.ts";
import { CredenceScale, side } from "./CredenceScale.tsx";
import { Icon } from "./Icon.tsx";

export interface BeliefNoteProps {
  readonly note: Note;
  /** Buttons: Open, Undo, Why. */
  readonly actions?: ReactNode;
}

const tones = { p: "for", q: "against", z: "" };

/** Says that a belief moved, formed, or did not move, and why. */
export function BeliefNote({ note, actions }: BeliefNoteProps) {
  const moved = note.outcome !== "did-not-move";
  const after = note.after;
  const tone = moved && after !== null ? tones[side(after)] : "";
  return (
    <div className="bel" role="status">
      <Icon name={moved ? "beliefs" : "still"} className={tone} />
      <div>
        <p className="m">{shared.beliefOutcome[note.outcome]}</p>
        {moved ? (
          <p className="why">{note.statement}</p>
        ) : (
          <p className="why">
            “{note.statement}”{note.before !== null && ` ${shared.staysAt(signed(note.before))}`}. {note.why}
          </p>
        )}
      </div>
      {actions && <span className="row acts">{actions}</span>}
      {moved && after !== null && (
        <div className="sum f12 num">
          <CredenceScale value={after} before={note.before} uncertainty={note.uncertainty} />
          <span className="nowrap">
            {note.before !== null && <span className="dim">{signed(note.before)} → </span>}
            <b className={`b ${tone}`}>{signed(after)}</b>
          </span>
          <span className="faint">{note.why}</span>
        </div>
      )}
    </div>
  );
}
