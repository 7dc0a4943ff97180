import type { BeliefRevision } from "../../../core/contract/index.ts";
import { signed } from "../../format/numbers.ts";
import { beliefs as words } from "../../words/beliefs.ts";

type Arithmetic = NonNullable<BeliefRevision["arithmetic"]>;

/** Every number of a step: direction × base × strength ÷ (confidence + 1), then what capped or halved it. */
export function Equation({ arithmetic, type }: { readonly arithmetic: Arithmetic; readonly type: string }) {
  const pro = arithmetic.direction === 1;
  const factors = (arithmetic.damped ? 1 : 0) + (arithmetic.cooling ? 1 : 0);
  return (
    <>
      <div className="eq">
        <Term value={pro ? "+1" : "−1"} name={pro ? words.for : words.against} />
        <i>×</i>
        <Term value={arithmetic.base.toFixed(2)} name={words.baseStep} />
        <i>×</i>
        <Term value={arithmetic.strength.toFixed(2)} name={words.strength} />
        <i>÷</i>
        <Term value={`(${arithmetic.confidence.toFixed(2)} + 1)`} name={words.confidenceBefore} />
        <i>=</i>
        <Term
          value={signed(arithmetic.raw, 3)}
          name={arithmetic.delta === arithmetic.raw ? words.change : ""}
          tone={arithmetic.delta === arithmetic.raw ? (pro ? "for" : "against") : ""}
        />
        {arithmetic.delta !== arithmetic.raw && (
          <>
            <i>→</i>
            <Term value={signed(arithmetic.delta, 3)} name={words.change} tone={pro ? "for" : "against"} />
          </>
        )}
      </div>
      <p className="f12 faint num note">
        {[
          words.cap(
            type.toLowerCase(),
            (arithmetic.strength > 0 ? arithmetic.cap / arithmetic.strength : 0).toFixed(2),
            arithmetic.strength.toFixed(2),
            arithmetic.cap.toFixed(3),
            arithmetic.capped,
          ),
          words.cooling(arithmetic.cooling),
          words.damped(arithmetic.damped),
          arithmetic.saturated ? words.saturated : "",
          arithmetic.contracted ? words.contracted : "",
          factors === 2 ? words.bothHalve : "",
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </>
  );
}

function Term({ value, name, tone = "" }: { readonly value: string; readonly name: string; readonly tone?: string }) {
  return (
    <div>
      <b className={tone}>{value}</b>
      <span>{name}</span>
    </div>
  );
}
