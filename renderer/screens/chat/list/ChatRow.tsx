import { useState } from "react";
import type { Conversation } from "../../../../core/contract/index.ts";
import { IconButton } from "../../../components/Button.tsx";
import { ListRow } from "../../../components/ListRow.tsx";
import { Menu } from "../../../components/Menu.tsx";
import { count } from "../../../format/numbers.ts";
import { shortTime } from "../../../format/times.ts";
import type { TurnView } from "../../../turns/view.ts";
import { chat as words } from "../../../words/chat.ts";
import { RenameField } from "./RenameField.tsx";
import type { ChatActions } from "./useChatActions.ts";

export interface ChatRowProps {
  readonly conversation: Conversation;
  readonly current: boolean;
  readonly turn: TurnView | undefined;
  /** The search that found it, carried into the thread. */
  readonly find: string;
  readonly now: number;
  readonly actions: ChatActions;
}

export function ChatRow({ conversation, current, turn, find, now, actions }: ChatRowProps) {
  const [renaming, setRenaming] = useState(false);
  const title = conversation.title || words.untitled;
  if (renaming) {
    return (
      <RenameField
        title={conversation.title}
        onDone={(next) => {
          setRenaming(false);
          if (next !== null) actions.rename(conversation, next);
        }}
      />
    );
  }
  return (
    <div className="chat-row">
      <ListRow
        to={{ screen: "chat", path: [conversation.id], ...(find ? { query: { find } } : {}) }}
        current={current}
        label={title}
        detail={<RowDetail conversation={conversation} turn={turn} now={now} />}
      />
      <span className="chat-row-tools">
        <IconButton
          icon="pin"
          label={conversation.pinned ? words.unpin : words.pin}
          pressed={conversation.pinned || undefined}
          onClick={() => actions.pin(conversation)}
        />
        <Menu
          trigger={<IconButton icon="more" label={words.moreFor(title)} />}
          groups={[
            {
              items: [
                {
                  label: conversation.pinned ? words.unpin : words.pin,
                  icon: "pin",
                  run: () => actions.pin(conversation),
                },
                { label: words.rename, icon: "edit", run: () => setRenaming(true) },
                { label: words.exportMarkdown, icon: "export", run: () => actions.export(conversation, "markdown") },
                { label: words.exportJson, icon: "export", run: () => actions.export(conversation, "json") },
              ],
            },
            { items: [{ label: words.remove, icon: "trash", danger: true, run: () => actions.remove(conversation) }] },
          ]}
        />
      </span>
    </div>
  );
}

function RowDetail({ conversation, turn, now }: Pick<ChatRowProps, "conversation" | "turn" | "now">) {
  const turns = words.turns(conversation.turns, count(conversation.turns));
  if (turn || conversation.activeTurn) {
    const waiting = turn?.phase === "WAITING_APPROVAL" || turn?.phase === "CLARIFYING";
    return (
      <>
        <i className="livedot" />
        {waiting ? words.waiting : `${words.answering} · ${turns}`}
      </>
    );
  }
  return `${shortTime(conversation.updatedAt, now)} · ${turns}`;
}
