import { useState } from "react";
import type { BeliefEvidence } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { shortTime } from "../../format/times.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { canOpen, openEvidence } from "./openEvidence.ts";

const FIRST = 3;

/** Evidence on either side, strongest source words first; a click opens the exact place. */
export function EvidencePanel(props: {
  readonly evidence: readonly BeliefEvidence[];
  readonly now: number;
  readonly onAdd: () => void;
}) {
  const pro = props.evidence.filter((edge) => edge.direction === 1);
  const contra = props.evidence.filter((edge) => edge.direction === -1);
  return (
    <section
      className="pane bl evpane"
      aria-label={`${words.evidenceFor}, ${words.evidenceAgainst}`}
      data-region="panel"
    >
      <div className="scroll grow">
        <Side title={words.evidenceFor} edges={pro} empty={words.noneFor} now={props.now} />
        <hr className="hr" />
        <Side title={words.evidenceAgainst} edges={contra} empty={words.noneAgainst} now={props.now} />
      </div>
      <div className="row foot">
        <span className="f12 dim grow">{words.missing}</span>
        <Button size="s" icon="plus" onClick={props.onAdd}>
          {words.add}
        </Button>
      </div>
    </section>
  );
}

function Side(props: {
  readonly title: string;
  readonly edges: readonly BeliefEvidence[];
  readonly empty: string;
  readonly now: number;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? props.edges : props.edges.slice(0, FIRST);
  const rest = props.edges.length - shown.length;
  return (
    <div className="evside">
      <h2 className="lab">
        {props.title} <span className="faint num">{props.edges.length}</span>
      </h2>
      {props.edges.length === 0 && <p className="f12 faint none">{props.empty}</p>}
      <ul>
        {shown.map((edge) => (
          <li key={edge.id}>
            <Entry edge={edge} now={props.now} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button kind="quiet" size="s" className="rest" onClick={() => setAll(true)}>
          {words.showMore(rest)}
        </Button>
      )}
    </div>
  );
}

function Entry({ edge, now }: { readonly edge: BeliefEvidence; readonly now: number }) {
  const where = [edge.title, edge.place].filter(Boolean).join(", ");
  const inner = (
    <>
      <span className="src line">{edge.quote}</span>
      <span className="row f12">
        <span className="m cut">{where}</span>
        <span className="faint num nowrap push">{shortTime(edge.at, now)}</span>
      </span>
      <span className="f12 faint num line" title={words.scorer(edge.scorer)}>
        {words.types[edge.type]}, {words.strength} {edge.strength.toFixed(2)}
      </span>
    </>
  );
  const tone = edge.direction === 1 ? "ev" : "ev q";
  if (!canOpen(edge)) return <div className={tone}>{inner}</div>;
  return (
    <button type="button" className={tone} aria-label={words.openSource(where)} onClick={() => openEvidence(edge)}>
      {inner}
    </button>
  );
}
