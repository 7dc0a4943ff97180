import { memo, useCallback } from "react";
import type { FoundPassage, Message } from "../../../../core/contract/index.ts";
import { BeliefNote } from "../../../components/BeliefNote.tsx";
import { CitationChip } from "../../../components/CitationChip.tsx";
import { Banner } from "../../../components/States.tsx";
import { Markdown } from "../../../markdown/Markdown.tsx";
import type { TurnView } from "../../../turns/view.ts";
import { Activity } from "./Activity.tsx";
import { AnswerFoot } from "./AnswerFoot.tsx";
import { BeliefActions } from "./BeliefActions.tsx";
import { EndNote } from "./EndNote.tsx";
import { QuestionBack } from "./QuestionBack.tsx";
import { Reasoning } from "./Reasoning.tsx";
import type { MessageActions } from "./useMessageActions.ts";

export interface AssistantMessageProps {
  readonly message: Message;
  /** Live, replayed, or read from the trail; null while the trail is not read. */
  readonly turn: TurnView | null;
  readonly live: boolean;
  readonly last: boolean;
  readonly readOnly: boolean;
  readonly actions: MessageActions;
}

/** An answer with what led to it above and what stands behind it below. */
export const AssistantMessage = memo(function AssistantMessage(props: AssistantMessageProps) {
  const { message, turn, live, last, readOnly, actions } = props;
  const text = live && turn ? turn.answer : message.content;
  const reasoning = live && turn ? turn.reasoning : message.reasoning;
  const found = turn?.found;
  const { showSource } = actions;
  const citation = useCallback(
    (number: number) => {
      const passage: FoundPassage | undefined = found?.find((each) => each.number === number);
      if (!passage) return `[${number}]`;
      return <CitationChip number={number} passage={passage} onOpen={() => showSource(message.id, number)} />;
    },
    [found, showSource, message.id],
  );
  return (
    <div className="answer" data-live={live || undefined}>
      {turn && <Activity turn={turn} live={live} onOpen={(step) => actions.inspect(message.id, step)} />}
      {turn?.beliefs.map((note, index) => (
        <BeliefNote
          key={note.revisionId ?? `${note.statement}-${index}`}
          note={note}
          actions={<BeliefActions note={note} />}
        />
      ))}
      {reasoning && <Reasoning text={reasoning} live={live && text === ""} />}
      {text !== "" && <Markdown text={text} citation={citation} streaming={live} />}
      {live && turn?.question && (
        <QuestionBack question={turn.question} onAnswer={(answer) => actions.answer(turn, answer)} />
      )}
      {turn?.degraded && (
        <Banner icon="alert" title={turn.degraded.reason}>
          {turn.degraded.action}
        </Banner>
      )}
      {!live && <EndNote message={message} onAgain={last && !readOnly ? () => actions.regenerate(message) : null} />}
      {!live && <AnswerFoot message={message} turn={turn} last={last} readOnly={readOnly} actions={actions} />}
    </div>
  );
});
