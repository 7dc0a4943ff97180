import { memo, useState } from "react";
import type { Conversation } from "../../../../core/contract/index.ts";
import { IconButton } from "../../../components/Button.tsx";
import { ListRow } from "../../../components/ListRow.tsx";
import { Menu } from "../../../components/Menu.tsx";
import { count } from "../../../format/numbers.ts";
import { shortTime } from "../../../format/times.ts";
import { chat as words } from "../../../words/chat.ts";
import { RenameField } from "./RenameField.tsx";
import type { ChatActions } from "./useChatActions.ts";

export interface ChatRowProps {
  readonly conversation: Conversation;
  readonly current: boolean;
  /** What its turn does, when one runs in it. */
  readonly state: "answering" | "waiting" | undefined;
  /** The search that found it, carried into the thread. */
  readonly find: string;
  readonly now: number;
  readonly actions: ChatActions;
}

/** Its tools exist only while it is pointed at or focused: a long list stays light. */
export const ChatRow = memo(function ChatRow({ conversation, current, state, find, now, actions }: ChatRowProps) {
  const [near, setNear] = useState(false);
  const [menu, setMenu] = useState(false);
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
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only reveal the row's own buttons
    <div
      className="chat-row"
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || setNear(false)}
    >
      <ListRow
        to={{ screen: "chat", path: [conversation.id], ...(find ? { query: { find } } : {}) }}
        current={current}
        label={title}
        detail={<RowDetail conversation={conversation} state={state} now={now} />}
      />
      {(near || menu) && (
        <span className="chat-row-tools">
          <IconButton
            icon="pin"
            label={conversation.pinned ? words.unpin : words.pin}
            pressed={conversation.pinned || undefined}
            disabled={actions.locked}
            onClick={() => actions.pin(conversation)}
          />
          <Menu
            onOpenChange={setMenu}
            trigger={<IconButton icon="more" label={words.moreFor(title)} />}
            groups={[
              {
                items: [
                  {
                    label: conversation.pinned ? words.unpin : words.pin,
                    icon: "pin",
                    run: () => actions.pin(conversation),
                  },
                  { label: words.rename, icon: "edit", disabled: actions.locked, run: () => setRenaming(true) },
                  { label: words.exportMarkdown, icon: "export", run: () => actions.export(conversation, "markdown") },
                  { label: words.exportJson, icon: "export", run: () => actions.export(conversation, "json") },
                ],
              },
              {
                items: [
                  {
                    label: words.remove,
                    icon: "trash",
                    danger: true,
                    disabled: actions.locked,
                    run: () => actions.remove(conversation),
                  },
                ],
              },
            ]}
          />
        </span>
      )}
    </div>
  );
});

function RowDetail({ conversation, state, now }: Pick<ChatRowProps, "conversation" | "state" | "now">) {
  const turns = words.turns(conversation.turns, count(conversation.turns));
  if (state || conversation.activeTurn) {
    return (
      <>
        <i className="livedot" />
        {state === "waiting" ? words.waiting : `${words.answering} · ${turns}`}
      </>
    );
  }
  return `${shortTime(conversation.updatedAt, now)} · ${turns}`;
}
