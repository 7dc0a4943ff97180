import { Button } from "../../components/Button.tsx";
import { Screen, Sheet } from "../../components/Frame.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { chooseModels, type Machine, useModels } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";
import { DropPlace } from "./DropPlace.tsx";
import { ModelCard } from "./ModelCard.tsx";
import { useModelActions } from "./useModelActions.tsx";
import "./models.css";

/** Which models are installed, what they can do here, and how to add another. */
export function ModelsScreen() {
  const models = useModels();
  const { actions, dialog } = useModelActions();
  return (
    <Screen>
      <Sheet
        title={words.title}
        meta={models.data && machineLine(models.data.machine)}
        actions={
          <>
            {models.chat.length > 0 && <Legend />}
            <Button icon="plus" onClick={chooseModels}>
              {words.importFile}
            </Button>
          </>
        }
      >
        <div className="models scroll">
          {models.problem ? (
            <div className="centred">
              <ErrorState title={words.listFailed} problem={models.problem} onRetry={models.reload} />
            </div>
          ) : !models.data ? (
            <Skeleton lines={6} what={words.reading} />
          ) : (
            <>
              {models.chat.length === 0 ? (
                <div className="models-none">
                  <EmptyState
                    title={words.emptyTitle}
                    actions={
                      <Button icon="plus" onClick={chooseModels}>
                        {words.importFile}
                      </Button>
                    }
                  >
                    {words.emptyBody}
                  </EmptyState>
                </div>
              ) : (
                <div className="model-grid">
                  {models.chat.map((model) => (
                    <ModelCard key={model.id} model={model} machine={models.data!.machine} actions={actions} />
                  ))}
                </div>
              )}
              <DropPlace models={models.data.models} />
            </>
          )}
        </div>
      </Sheet>
      {dialog}
    </Screen>
  );
}

function machineLine(machine: Machine): string {
  const gpu = machine.gpu
    ? [machine.gpu, machine.gpuMemoryBytes === null ? null : bytes(machine.gpuMemoryBytes)].filter(Boolean).join(", ")
    : words.noGpu;
  return `${words.machine} ${words.memory(bytes(machine.memoryBytes), bytes(machine.freeMemoryBytes))} · ${words.cores(count(machine.physicalCores))} · ${gpu}`;
}

function Legend() {
  return (
    <span className="legend f12 faint" aria-hidden="true">
      <i className="sw-model" />
      {words.legendModel}
      <i className="sw-window" />
      {words.legendWindow}
      <i className="sw-free" />
      {words.legendFree}
    </span>
  );
}
