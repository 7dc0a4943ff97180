import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Chip } from "../../components/Chip.tsx";
import type { Step, TurnView } from "../../turns/view.ts";
import { inspector as words } from "../../words/inspector.ts";
import { ArtifactView } from "./ArtifactView.tsx";
import { BudgetBar } from "./BudgetBar.tsx";
import { notesAfter, promptOf } from "./stepGroups.ts";

/** What the model was given, what was called with what, everything that came back, and what was kept of it. */
export function StepDetail({ view, step }: { readonly view: TurnView; readonly step: Step }) {
  const { budget, promptArtifactId } = promptOf(view, step);
  const notes = notesAfter(view, step);
  const [showPrompt, setShowPrompt] = useState(step.artifactId === null && step.kind === "thinking");
  const prompt = showPrompt && promptArtifactId !== null;
  const artifactId = prompt ? promptArtifactId : step.artifactId;
  return (
    <section className="pane grow bl" aria-label={step.title}>
      {!budget && step.proposer === "harness" && <p className="blk f12 dim">{words.notAsked}</p>}
      {budget && <BudgetBar budget={budget} step={step.iteration} />}
      <div className="blk">
        <div className="row">
          <span className="lab">{step.title}</span>
          {step.kind === "tool" && step.outcome === "ok" && step.safety && (
            <Chip icon="check">{step.safety === "asked" ? words.asked : words.safe}</Chip>
          )}
          {step.kind === "tool" && step.outcome === "problem" && (
            <Chip tone="bad" icon="alert">
              {step.note ?? step.figure}
            </Chip>
          )}
          <span className="grow" />
          {promptArtifactId !== null && (
            <Button kind="quiet" size="s" onClick={() => setShowPrompt(!showPrompt)}>
              {prompt ? words.openOutput : words.openPrompt}
            </Button>
          )}
        </div>
        <StepFacts step={step} view={view} />
      </div>
      {artifactId !== null ? (
        <ArtifactView
          key={artifactId}
          turnId={view.turnId}
          artifactId={artifactId}
          title={prompt ? words.prompt : words.output}
        />
      ) : (
        <div className="blk grow faint">{step.kind === "tool" ? words.noOutput : null}</div>
      )}
      {notes && (notes.longTerm || notes.shortTerm) && (
        <footer className="kept f12">
          {notes.longTerm && (
            <p>
              <b className="b">{words.kept}</b> {notes.longTerm}
            </p>
          )}
          {notes.shortTerm && (
            <p className="dim">
              <b className="b">{words.plan}</b> {notes.shortTerm}
            </p>
          )}
        </footer>
      )}
    </section>
  );
}

function StepFacts({ step, view }: { readonly step: Step; readonly view: TurnView }) {
  if (step.args && Object.keys(step.args).length > 0) {
    return (
      <dl className="facts mono">
        {Object.entries(step.args).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    );
  }
  if (step.kind === "belief") {
    return (
      <ul className="facts-list">
        {view.beliefs.map((note) => (
          <li key={note.revisionId ?? note.statement}>
            {note.statement} <span className="faint">{note.why}</span>
          </li>
        ))}
      </ul>
    );
  }
  const text = [step.detail, step.figure].filter(Boolean).join(" · ");
  return text ? <p className="dim facts-text">{text}</p> : null;
}
