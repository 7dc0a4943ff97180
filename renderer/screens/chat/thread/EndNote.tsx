import type { Message } from "../../../../core/contract/index.ts";
import { Button } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";
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
  return (
    <div className={failed ? "end failed" : "end"} role={failed ? "alert" : undefined}>
      <p className="row f12">
        <Icon name={failed ? "alert" : "info"} size="s" />
        <span>{note ?? (failed ? words.failed : words.interrupted)}</span>
      </p>
      {failed && (
        <div className="row">
          {onAgain && (
            <Button size="s" onClick={onAgain}>
              {words.again}
            </Button>
          )}
          <a className="btn quiet sm" href={formatRoute({ screen: "models" })}>
            {words.otherModel}
          </a>
        </div>
      )}
    </div>
  );
}
