import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Chip } from "../../components/Chip.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Meter } from "../../components/Meter.tsx";
import { bytes, count, speed } from "../../format/numbers.ts";
import type { InstalledModel, Machine } from "../../hooks/useModels.ts";
import { firstStart as words } from "../../words/first-start.ts";
import { models as modelWords } from "../../words/models.ts";

export interface ModelChoiceProps {
  readonly model: InstalledModel | undefined;
  readonly machine: Machine;
  readonly onChoose: () => void;
}

/** The model that would answer, said honestly, and the place to drop another. */
export function ModelChoice({ model, machine, onChoose }: ModelChoiceProps) {
  return (
    <>
      {model ? <Installed model={model} /> : <Missing />}
      <div className="fs-drop">
        <Icon name="import" size="l" />
        <b className="m">{model ? words.dropTitle : words.dropFirst}</b>
        <p className="f12 dim">
          {words.machine(bytes(machine.freeMemoryBytes), Math.max(1, Math.floor(machine.suggestedBillions)))}
        </p>
        <Button size="s" onClick={onChoose}>
          {words.choose}
        </Button>
      </div>
    </>
  );
}

function Installed({ model }: { readonly model: InstalledModel }) {
  const facts = [
    bytes(model.sizeBytes),
    words.window(count(model.window)),
    model.tokensPerSecond === null ? null : words.here(speed(model.tokensPerSecond)),
  ];
  return (
    <Card className="fs-model">
      <div className="row">
        <b className="grow cut name">{model.name}</b>
        {model.state === "failed" ? (
          <Chip tone="bad" icon="alert">
            {modelWords.failed}
          </Chip>
        ) : model.state === "loading" ? (
          <Chip>{modelWords.loading}</Chip>
        ) : (
          <Chip tone="accent" icon="check">
            {words.ready}
          </Chip>
        )}
      </div>
      <p className="f12 faint num">{facts.filter(Boolean).join(" · ")}</p>
      {model.state === "loading" && model.loadProgress !== null && (
        <Meter value={model.loadProgress} label={modelWords.loading} />
      )}
      <p className="dim said">{model.problem ?? (model.starter ? words.starterHonest : words.ownModel)}</p>
    </Card>
  );
}

function Missing() {
  return (
    <Card className="fs-model">
      <b className="name">{words.noModel}</b>
      <p className="dim">{words.noModelText}</p>
    </Card>
  );
}
