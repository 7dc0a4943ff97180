import type { BeliefEvidence, BeliefSummary } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { CredenceScale, side } from "../../components/CredenceScale.tsx";
import { signed } from "../../format/numbers.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { shared } from "../../words/shared.ts";
import { tones } from "./BeliefRow.tsx";
import { useBelief } from "./useBeliefs.ts";

/** The belief under the pointer or the focus: where it stands, and the strongest evidence on either side. */
export function Selected({ belief }: { readonly belief: BeliefSummary }) {
  const detail = useBelief(belief.id);
  const strongest = (direction: 1 | -1) =>
    detail.data?.evidence
      .filter((edge) => edge.direction === direction)
      .reduce<BeliefEvidence | null>((best, edge) => (best && best.strength >= edge.strength ? best : edge), null) ??
    null;
  const pro = strongest(1);
  const contra = strongest(-1);
  return (
    <section className="chosen" aria-label={words.selected}>
      <div className="row">
        <h3 className="lab grow">{words.selected}</h3>
        <Button size="s" onClick={() => navigate({ screen: "beliefs", path: [belief.id] })}>
          {shared.open}
        </Button>
      </div>
      <p className="stmt">{belief.statement}</p>
      <div className="row num f12">
        <CredenceScale value={belief.valence} uncertainty={belief.uncertainty} before={belief.before} />
        <span>
          <b className={`b ${tones[side(belief.valence)]}`}>{signed(belief.valence)}</b>
          <span className="faint">
            {" "}
            ± {belief.uncertainty.toFixed(2)} · {words.confidence} {belief.confidence.toFixed(2)}
          </span>
        </span>
      </div>
      {pro && <Quote edge={pro} label={words.strongestFor} />}
      {contra && <Quote edge={contra} label={words.strongestAgainst} />}
    </section>
  );
}

function Quote({ edge, label }: { readonly edge: BeliefEvidence; readonly label: string }) {
  return (
    <div className={edge.direction === 1 ? "ev tight" : "ev q tight"}>
      <p className="src clamp">{edge.quote}</p>
      <p className="f12 faint cut">
        {label} · {[edge.title, edge.place].filter(Boolean).join(", ")}
      </p>
    </div>
  );
}
