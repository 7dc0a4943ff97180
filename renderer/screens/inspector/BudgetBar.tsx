import type { BudgetSplit } from "../../../core/contract/index.ts";
import { Icon } from "../../components/Icon.tsx";
import { count } from "../../format/numbers.ts";
import { inspector as words } from "../../words/inspector.ts";

const order = ["system", "tools", "snapshot", "beliefs", "history", "memories", "workingMemory"] as const;

/** How the prompt's tokens were spent, against what the model may be given. */
export function BudgetBar({ budget, step }: { readonly budget: BudgetSplit; readonly step: number }) {
  const whole = Math.max(1, budget.effective, budget.total);
  return (
    <div className="blk">
      <div className="row budget-head">
        <span className="lab grow">{words.given(step)}</span>
        <span className="f12 num dim">
          <b className="m ink">{count(budget.total)}</b> {words.ofBudget(budget.effective, budget.window)}
        </span>
      </div>
      <div className="pb" role="img" aria-label={words.budgetLabel}>
        {order.map((part) => (
          <i key={part} className={`part-${part}`} style={{ width: `${((budget[part] / whole) * 100).toFixed(2)}%` }} />
        ))}
      </div>
      <dl className="lg">
        {order.map((part) => (
          <div key={part}>
            <dt className="grow">
              <i className={`part-${part}`} />
              {words.parts[part]}
            </dt>
            <dd className="num">{count(budget[part])}</dd>
          </div>
        ))}
      </dl>
      {budget.dropped.map((each) => (
        <p key={`${each.what}-${each.reason}`} className="row f12 dim dropped">
          <Icon name="info" size="s" />
          {words.dropped(each.what, each.tokens, each.reason)}
        </p>
      ))}
    </div>
  );
}
