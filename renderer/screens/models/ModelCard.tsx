import { Button, IconButton } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Chip } from "../../components/Chip.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Meter } from "../../components/Meter.tsx";
import { bytes, count, speed } from "../../format/numbers.ts";
import type { InstalledModel, Machine } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";
import { shared } from "../../words/shared.ts";
import { Abilities } from "./Abilities.tsx";
import { FitBar } from "./FitBar.tsx";

export interface ModelActions {
  readonly use: (model: InstalledModel) => void;
  readonly remove: (model: InstalledModel) => void;
  readonly reveal: (model: InstalledModel) => void;
  readonly unload: (model: InstalledModel) => void;
}

export interface ModelCardProps {
  readonly model: InstalledModel;
  readonly machine: Machine;
  readonly actions: ModelActions;
}

export function ModelCard({ model, machine, actions }: ModelCardProps) {
  const facts = [
    model.quantization,
    bytes(model.sizeBytes),
    words.trained(count(model.trainedContext)),
    model.licence,
  ].filter(Boolean);
  return (
    <Card className={model.active ? "model sel" : "model"} aria-label={model.name}>
      <div className="row top">
        <h2 className="grow cut">{model.name}</h2>
        {model.active && (
          <Chip tone="accent" icon="check">
            {words.answersChats}
          </Chip>
        )}
        {model.starter && <Chip>{words.starter}</Chip>}
        <Menu
          trigger={<IconButton icon="more" label={`${shared.more}: ${model.name}`} />}
          groups={[
            {
              items: [
                ...(model.active || model.fits === "no"
                  ? []
                  : [{ label: words.use, icon: "check" as const, run: () => actions.use(model) }]),
                ...(model.state === "ready" ? [{ label: words.unload, run: () => actions.unload(model) }] : []),
                { label: words.showFile, icon: "folder", run: () => actions.reveal(model) },
              ],
            },
            { items: [{ label: words.remove, icon: "trash", danger: true, run: () => actions.remove(model) }] },
          ]}
        />
      </div>
      <p className="f12 faint">{facts.join(" · ")}</p>
      <FitBar model={model} machine={machine} />
      <FitWords model={model} machine={machine} />
      {model.problem && (
        <p className="row f12 bad problem">
          <Icon name="alert" />
          <span>{model.problem}</span>
        </p>
      )}
      {model.state === "loading" && (
        <div className="row f12 load">
          <Meter className="grow" value={model.loadProgress ?? 0} label={words.loading} />
          <span className="dim">{words.loading}</span>
        </div>
      )}
      <Abilities model={model} />
      {!model.active && model.fits !== "no" && model.state !== "loading" && (
        <div className="act-row">
          <Button size="s" onClick={() => actions.use(model)}>
            {words.use}
          </Button>
        </div>
      )}
    </Card>
  );
}

function FitWords({ model, machine }: { readonly model: InstalledModel; readonly machine: Machine }) {
  const needs = bytes(model.memoryBytes);
  if (model.fits === "no") {
    return (
      <p className="row f12 bad problem">
        <Icon name="alert" />
        <span>
          <b className="m">{words.needs(needs, bytes(machine.memoryBytes))}</b>{" "}
          <span className="dim">{words.suggested(Math.max(1, Math.floor(machine.suggestedBillions)))}</span>
        </span>
      </p>
    );
  }
  const free = bytes(machine.freeMemoryBytes);
  const fit = model.fits === "yes" ? words.fits(needs, free) : words.tight(needs, free);
  const window =
    model.window >= model.trainedContext
      ? words.wholeWindow(count(model.window))
      : words.partWindow(count(model.window), count(model.trainedContext));
  return (
    <p className="f12 dim num">
      {fit}, {window}.{" "}
      {model.tokensPerSecond !== null && <span className="faint">{words.measured(speed(model.tokensPerSecond))}</span>}
    </p>
  );
}
