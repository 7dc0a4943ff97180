import { moveInGroup } from "../../components/roving.ts";
import { duration } from "../../format/numbers.ts";
import type { Step, TurnView } from "../../turns/view.ts";
import { inspector as words } from "../../words/inspector.ts";
import { stepGroups, tookMs } from "./stepGroups.ts";

export interface StepListProps {
  readonly view: TurnView;
  readonly current: string;
  readonly onChoose: (stepId: string) => void;
}

export function StepList({ view, current, onChoose }: StepListProps) {
  const proposer = view.steps.findLast((step) => step.proposer !== null)?.proposer ?? null;
  return (
    <nav className="pane steps" aria-label={words.stepList} data-region="list" tabIndex={-1}>
      <div className="row lab head">
        <span className="grow">{words.steps}</span>
        {view.limit > 0 && <span className="faint used">{words.used(Math.max(1, view.iteration), view.limit)}</span>}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside */}
      <div className="scroll grow" onKeyDown={(event) => moveInGroup(event, ".st")}>
        {stepGroups(view).map((group) => (
          <section key={`${group.iteration}-${group.steps[0]?.id}`}>
            <h2 className="f12 faint m">{group.iteration === 0 ? words.before : words.step(group.iteration)}</h2>
            {group.steps.map((step) => (
              <StepRow key={step.id} step={step} current={step.id === current} onChoose={onChoose} />
            ))}
          </section>
        ))}
      </div>
      <p className="f12 faint how">
        <span>{proposer === null ? words.noAction : words.proposers[proposer]}</span>
        {view.modelName && <span>{words.model(view.modelName, view.budget?.window ?? null)}</span>}
      </p>
    </nav>
  );
}

function StepRow({
  step,
  current,
  onChoose,
}: {
  readonly step: Step;
  readonly current: boolean;
  readonly onChoose: StepListProps["onChoose"];
}) {
  const took = tookMs(step);
  return (
    <button
      type="button"
      className="st"
      aria-current={current ? "step" : undefined}
      tabIndex={current ? 0 : -1}
      onClick={() => onChoose(step.id)}
    >
      <span className="row">
        <span className="m cut">{step.title}</span>
        <span className="faint f12 num push nowrap">{took === null ? "" : duration(took)}</span>
      </span>
      {(step.detail || step.note || step.figure) && (
        <span className="row f12 faint">
          <span className="cut">{step.detail || step.note}</span>
          <span className="num nowrap push">{step.figure.length <= 24 ? step.figure : ""}</span>
        </span>
      )}
    </button>
  );
}
