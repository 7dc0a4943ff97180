import type { Message } from "../../../../core/contract/index.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { count, duration, plural, speed } from "../../../format/numbers.ts";
import { isPlainAnswer } from "../../../turns/timeline.ts";
import type { TurnView } from "../../../turns/view.ts";
import { chat as words } from "../../../words/chat.ts";
import { recalledOf, sourcesOf } from "../found/sources.ts";
import type { MessageActions } from "./useMessageActions.ts";

export interface AnswerFootProps {
  readonly message: Message;
  readonly turn: TurnView | null;
  readonly last: boolean;
  readonly readOnly: boolean;
  readonly actions: MessageActions;
}

/** Copy, answer again, versions, what it stands on, and what it cost. */
export function AnswerFoot({ message, turn, last, readOnly, actions }: AnswerFootProps) {
  const found = sourcesOf(turn?.found ?? []);
  const recalled = recalledOf(turn?.found ?? []);
  const cited = found.filter((each) => each.cited).length;
  const tokens = message.generatedTokens;
  const versions = message.versions;
  return (
    <div className={last ? "answer-foot f12 faint last" : "answer-foot f12 faint"}>
      {message.content !== "" && (
        <IconButton icon="copy" label={words.copyAnswer} onClick={() => actions.copy(message)} />
      )}
      {!readOnly && !(last && message.state === "failed") && (
        <IconButton icon="refresh" label={words.answerAgain} onClick={() => actions.regenerate(message)} />
      )}
      {versions && versions.count > 1 && (
        <span className="row versions">
          <IconButton
            icon="left"
            label={words.olderVersion}
            disabled={versions.index === 0}
            onClick={() => actions.showVersion(message, versions.index - 1)}
          />
          <span className="num">{words.version(versions.index + 1, versions.count)}</span>
          <IconButton
            icon="right"
            label={words.newerVersion}
            disabled={versions.index === versions.count - 1}
            onClick={() => actions.showVersion(message, versions.index + 1)}
          />
        </span>
      )}
      {found.length > 0 && (
        <Button kind="quiet" size="s" icon="file" onClick={() => actions.showFound(message.id, "found")}>
          {words.citedFound(cited, found.length)}
        </Button>
      )}
      {recalled.length > 0 && (
        <Button kind="quiet" size="s" icon="memory" onClick={() => actions.showFound(message.id, "recalled")}>
          {words.recalledCount(recalled.length)}
        </Button>
      )}
      {turn && !isPlainAnswer(turn) && found.length + recalled.length === 0 && (
        <Button kind="quiet" size="s" icon="steps" onClick={() => actions.inspect(message.id, null)}>
          {words.stepsTook(turn.steps.length, duration(turn.ended?.durationMs ?? 0))}
        </Button>
      )}
      <span className="grow" />
      {tokens !== null && (
        <span className="num nowrap" title={message.modelName ?? undefined}>
          {message.tokensPerSecond !== null
            ? words.tokensAt(count(tokens), speed(message.tokensPerSecond).replace(" tokens", ""))
            : plural(tokens, "token")}
        </span>
      )}
    </div>
  );
}
