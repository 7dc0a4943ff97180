import type { BeliefRevision } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { signed } from "../../format/numbers.ts";
import { daysBetween, shortTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { Equation } from "./Equation.tsx";
import { useUndoPreview } from "./useBeliefs.ts";

export interface RevisionRowProps {
  readonly row: BeliefRevision;
  readonly now: number;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onUndo: (row: BeliefRevision) => void;
  /** The belief's statement first, in the log of all beliefs. */
  readonly withStatement?: boolean;
}

/** One row of the log; opened, it spells out its sum and says what taking it back would do. */
export function RevisionRow({ row, now, open, onToggle, onUndo, withStatement }: RevisionRowProps) {
  const delta = row.arithmetic?.delta ?? (row.kind === "refused" ? 0 : null);
  const tone = row.undone ? "faint" : delta === null || delta === 0 ? "dim" : delta > 0 ? "for" : "against";
  const openable = row.arithmetic !== null || row.undone !== null;
  return (
    <li className={`rv${open ? " open" : ""}${row.undone ? " gone" : ""}`}>
      <span className="faint num f12">{daysBetween(row.at, now) <= 0 ? words.today : shortTime(row.at, now)}</span>
      <b className={`num b ${tone}`}>{delta === null ? "" : signed(delta, 3)}</b>
      <div className="what">
        <p className={open ? "" : "cut"}>
          {withStatement && <span className="m">{row.statement}: </span>}
          <span className={withStatement ? "" : open ? "m" : ""}>{titleOf(row)}</span>
          <span className="faint"> · {detailOf(row)}</span>
        </p>
        {open && row.arithmetic && (
          <>
            <Equation arithmetic={row.arithmetic} type={row.type ? words.types[row.type] : ""} />
            {row.undone ? <PutBack row={row} /> : <RollBack row={row} onUndo={onUndo} />}
          </>
        )}
        {open && row.undone && !row.arithmetic && <PutBack row={row} />}
      </div>
      {openable ? (
        <IconButton
          icon={open ? "down" : "right"}
          label={open ? words.hideSum : words.showSum}
          aria-expanded={open}
          onClick={onToggle}
        />
      ) : (
        <span />
      )}
    </li>
  );
}

function RollBack({ row, onUndo }: { readonly row: BeliefRevision; readonly onUndo: (row: BeliefRevision) => void }) {
  const preview = useUndoPreview(row.id);
  const effect = preview.data;
  return (
    <div className="row back">
      <Button size="s" icon="undo" onClick={() => onUndo(row)}>
        {words.rollBack}
      </Button>
      {effect && (
        <span className="f12 dim">
          {words.rollBackWould(effect.after && signed(effect.after.valence), effect.later.length)}
        </span>
      )}
    </div>
  );
}

function PutBack({ row }: { readonly row: BeliefRevision }) {
  return (
    <div className="row back">
      <Button size="s" onClick={() => void act("beliefs.redo", { revisionId: row.id })}>
        {words.putBack}
      </Button>
      <span className="f12 dim">{row.undone?.why}</span>
    </div>
  );
}

function titleOf(row: BeliefRevision): string {
  if (row.kind === "evidence") return row.title || row.why;
  if (row.kind === "refused")
    return `${words.kinds.refused}: ${row.title || (row.type ? words.types[row.type].toLowerCase() : "")}`;
  return words.kinds[row.kind];
}

/** "Measured data, strength 0.66", "Halved: the belief was cooling down", "Social pressure; beliefs stay as they are". */
function detailOf(row: BeliefRevision): string {
  if (row.undone) return words.undone;
  const type = row.type ? words.types[row.type] : "";
  if (row.kind === "refused") return type ? `${type}; ${words.staysAs}` : row.why;
  if (row.kind === "edited") return words.wasStatement(row.detail);
  if (row.kind !== "evidence") return row.detail || row.why;
  const sum = row.arithmetic;
  if (sum?.cooling) return words.cooling(true).replace(/\.$/, "");
  if (sum?.damped) return words.halvedEarly(type);
  if (sum?.capped) return words.heldToCap(type, sum.cap.toFixed(3));
  return `${type}, ${words.strength} ${(row.strength ?? 0).toFixed(2)}`;
}
