import { useMemo, useState } from "react";
import type { ConversationId } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Chip } from "../../components/Chip.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { duration } from "../../format/numbers.ts";
import { fullTime } from "../../format/times.ts";
import { copyText } from "../../hooks/copyText.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { isLayerOpen, useShortcut } from "../../keyboard/useShortcut.ts";
import { inspector as words } from "../../words/inspector.ts";
import { shared } from "../../words/shared.ts";
import { turnAsMarkdown } from "./asMarkdown.ts";
import { StepDetail } from "./StepDetail.tsx";
import { StepList } from "./StepList.tsx";
import { defaultStep } from "./stepGroups.ts";
import { useInspectedTurn } from "./useInspectedTurn.ts";
import "./inspector.css";

export interface InspectorScreenProps {
  readonly conversationId: ConversationId;
  readonly messageId: string;
  readonly stepId: string | null;
}

/** One turn from the inside: every step, what the model was given, and everything that came back. */
export function InspectorScreen({ conversationId, messageId, stepId }: InspectorScreenProps) {
  const inspected = useInspectedTurn(conversationId, messageId);
  const [chosen, setChosen] = useState(stepId);
  const back = () => navigate({ screen: "chat", path: [conversationId] });
  useShortcut({ keys: "escape", run: () => (isLayerOpen() ? false : back()) });
  const { view } = inspected;
  const step = useMemo(
    () => view?.steps.find((each) => each.id === chosen) ?? (view ? defaultStep(view) : undefined),
    [view, chosen],
  );
  const outcome = view ? words.outcome[view.ended?.outcome ?? "running"] : null;
  const facts = view && [
    view.startedAt === null ? null : fullTime(view.startedAt, Date.now()),
    view.ended ? duration(view.ended.durationMs) : null,
    view.usage ? words.written(view.usage.generatedTokens) : null,
  ];
  return (
    <main className="main" data-region="sheet" tabIndex={-1}>
      <div className="bar">
        <IconButton icon="left" label={words.back} keys="escape" onClick={back} />
        <span className="faint cut">{inspected.title}</span>
        <span className="faint">/</span>
        <h1 className="nowrap">{inspected.number === null ? words.aTurn : words.turn(inspected.number)}</h1>
        {outcome && <Chip>{outcome}</Chip>}
        <span className="faint f12 num cut">{facts?.filter(Boolean).join(" · ")}</span>
        <span className="grow" />
        {view && (
          <Button
            kind="quiet"
            icon="copy"
            onClick={async () => (await copyText(turnAsMarkdown(view, inspected))) && toast({ text: shared.copied })}
          >
            {words.copyMarkdown}
          </Button>
        )}
        <IconButton icon="x" label={shared.close} onClick={back} />
      </div>
      <div className="body">
        {inspected.problem ? (
          <div className="centred">
            <ErrorState title={words.failed} problem={inspected.problem} onRetry={inspected.reload} />
          </div>
        ) : inspected.loading ? (
          <Skeleton lines={6} what={words.reading} />
        ) : !view || !step ? (
          <div className="centred">
            <EmptyState title={words.gone} actions={<Button onClick={back}>{words.back}</Button>}>
              {words.goneBody}
            </EmptyState>
          </div>
        ) : (
          <>
            <StepList view={view} current={step.id} onChoose={setChosen} />
            <StepDetail key={step.id} view={view} step={step} />
          </>
        )}
      </div>
    </main>
  );
}
