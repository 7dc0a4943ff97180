import type { Message } from "../../../../core/contract/index.ts";
import { Button } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { EmptyState } from "../../../components/States.tsx";
import { formatRoute } from "../../../hooks/useRoute.ts";
import { chat as words } from "../../../words/chat.ts";

export interface EndNoteProps {
  readonly message: Message;
  readonly onAgain: (() => void) | null;
}

/** How an answer ended, when it did not end by itself: what happened, what is kept, what to do. */
export function EndNote({ message, onAgain }: EndNoteProps) {
  const note = message.damaged ?? message.note;
  if (message.state === "complete" && !note) return null;
  if (message.state === "streaming" && !note) return null;
  const failed = message.state === "failed";
  if (!failed) {
    return (
      <p className="row f12 dim">
        <Icon name="info" size="s" />
        <span>{note ?? words.interrupted}</span>
      </p>
    );
  }
  return (
    <EmptyState
      icon="alert"
      title={message.content === "" ? words.noAnswer : words.brokenAnswer}
      actions={
        <>
          {onAgain && <Button onClick={onAgain}>{words.again}</Button>}
          <a className="btn quiet" href={formatRoute({ screen: "models" })}>
            {words.otherModel}
          </a>
        </>
      }
    >
      {note ?? words.failed}
    </EmptyState>
  );
}
