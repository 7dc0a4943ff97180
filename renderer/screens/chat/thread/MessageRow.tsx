import type { Message } from "../../../../core/contract/index.ts";
import { useTrail } from "../turns/useTrail.ts";
import { AssistantMessage } from "./AssistantMessage.tsx";
import { UserMessage } from "./UserMessage.tsx";
import type { MessageActions } from "./useMessageActions.ts";

export interface MessageRowProps {
  readonly message: Message;
  readonly last: boolean;
  readonly readOnly: boolean;
  readonly actions: MessageActions;
}

/** One message with the turn behind it; while that turn runs, only this row follows its events. */
export function MessageRow(props: MessageRowProps) {
  return props.message.role === "user" ? <UserMessage message={props.message} /> : <AnswerRow {...props} />;
}

function AnswerRow({ message, last, readOnly, actions }: MessageRowProps) {
  const turn = useTrail(message);
  const live = message.state === "streaming" && turn !== null && turn.ended === null;
  return (
    <AssistantMessage message={message} turn={turn} live={live} last={last} readOnly={readOnly} actions={actions} />
  );
}
