import type { Message } from "../../../../core/contract/index.ts";
import { Meter } from "../../../components/Meter.tsx";
import { count, speed } from "../../../format/numbers.ts";
import type { TurnView } from "../../../turns/view.ts";
import { chat as words } from "../../../words/chat.ts";
import { useTrail } from "../turns/useTrail.ts";

export interface GaugeProps {
  /** The newest turn of the conversation, running or ended. */
  readonly turn: TurnView | null;
  readonly tokensPerSecond: number | null;
}

/** Tokens of the prompt and the answer against what the model may take. */
export function usedOf(turn: TurnView | null): { used: number; budget: number } | null {
  if (!turn) return null;
  if (turn.usage) {
    return { used: turn.usage.promptTokens + turn.usage.generatedTokens, budget: turn.usage.budget };
  }
  if (turn.budget) return { used: turn.budget.total + turn.streamed, budget: turn.budget.effective };
  return null;
}

/** Live speed: counted from the first token on, once there are enough to say. */
export function liveSpeed(turn: TurnView | null): number | null {
  if (!turn || turn.ended) return null;
  const answer = turn.steps.findLast((step) => step.kind === "answer");
  if (!answer || turn.streamed < 8) return null;
  const seconds = (turn.lastAt - answer.startedAt) / 1000;
  return seconds > 0.4 ? turn.streamed / seconds : null;
}

export function Gauge({ turn, tokensPerSecond }: GaugeProps) {
  const usage = usedOf(turn);
  const rate = liveSpeed(turn) ?? turn?.usage?.tokensPerSecond ?? tokensPerSecond;
  return (
    <div className="gauge num">
      {usage && usage.budget > 0 && (
        <>
          <Meter
            value={usage.used / usage.budget}
            width={96}
            label={words.budgetUsed(Math.round((usage.used / usage.budget) * 100))}
          />
          <span>{words.tokensOf(count(usage.used), count(usage.budget))}</span>
        </>
      )}
      <span className="grow" />
      {rate !== null && <span>{speed(rate)}</span>}
    </div>
  );
}

/** The gauge of the newest answer; follows it while it is written. */
export function AnswerGauge({ answer }: { readonly answer: Message }) {
  return <Gauge turn={useTrail(answer)} tokensPerSecond={answer.tokensPerSecond} />;
}
