import { useState } from "react";
import { type ActivityItem, ActivityLine } from "../../../components/ActivityLine.tsx";
import { duration } from "../../../format/numbers.ts";
import { useNow } from "../../../hooks/useNow.ts";
import { activityItems, activitySummary, isPlainAnswer } from "../../../turns/timeline.ts";
import type { TurnView } from "../../../turns/view.ts";
import { turn as words } from "../../../words/turn.ts";

export interface ActivityProps {
  readonly turn: TurnView;
  readonly live: boolean;
  readonly onOpen: (stepId: string) => void;
}

/** What the agent did and does: open while it works, one line afterwards. */
export function Activity({ turn, live, onOpen }: ActivityProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const now = useNow(live ? 1000 : null);
  if (isPlainAnswer(turn)) {
    if (!live || turn.answer !== "" || turn.question) return null;
    return (
      <p className="act quiet" role="status">
        <i className="livedot" />
        {turn.label || words.starting}
      </p>
    );
  }
  const items: readonly ActivityItem[] = activityItems(turn, live);
  const open = chosen ?? live;
  const elapsed = duration(
    turn.ended?.durationMs ?? Math.max(0, (live ? now : turn.lastAt) - (turn.startedAt ?? turn.lastAt)),
  );
  const summary = activitySummary(turn, live, elapsed);
  return (
    <ActivityLine
      title={summary.title}
      detail={summary.detail}
      items={items}
      open={open}
      onToggle={() => setChosen(!open)}
      onOpenItem={onOpen}
    />
  );
}
