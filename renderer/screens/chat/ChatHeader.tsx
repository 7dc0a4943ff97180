import { useState } from "react";
import type { Conversation } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Chip } from "../../components/Chip.tsx";
import { Menu } from "../../components/Menu.tsx";
import { act } from "../../hooks/useAction.ts";
import { useReadOnly } from "../../hooks/useAppInfo.ts";
import { chat as words } from "../../words/chat.ts";
import { shared } from "../../words/shared.ts";
import { RenameField } from "./list/RenameField.tsx";
import { useChatActions } from "./list/useChatActions.ts";

function Title({ conversation }: { readonly conversation: Conversation | null }) {
  const [renaming, setRenaming] = useState(false);
  const locked = useReadOnly() !== null;
  if (!conversation) return null;
  if (renaming) {
    return (
      <RenameField
        title={conversation.title}
        onDone={(title) => {
          setRenaming(false);
          if (title !== null) void act("conversations.rename", { id: conversation.id, title });
        }}
      />
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way; Rename stands in the menu */}
      <h2 className="cut" onDoubleClick={() => !locked && setRenaming(true)}>
        {conversation.title || words.untitled}
      </h2>
      {conversation.ephemeral && <Chip icon="eye">{words.noTrace}</Chip>}
    </>
  );
}

interface ActionsProps {
  readonly conversation: Conversation | null;
  readonly canInspect: boolean;
  readonly onInspect: () => void;
  readonly onFind: () => void;
  readonly panelOpen: boolean;
  readonly onPanel: () => void;
}

function Actions({ conversation, canInspect, onInspect, onFind, panelOpen, onPanel }: ActionsProps) {
  const actions = useChatActions(conversation?.id ?? "");
  return (
    <>
      {canInspect && (
        <Button kind="quiet" icon="steps" onClick={onInspect}>
          {words.inspect}
        </Button>
      )}
      <IconButton icon="search" label={words.findHere} keys="mod+f" onClick={onFind} />
      {!panelOpen && <IconButton icon="panel" label={words.showPanel} keys="mod+e" onClick={onPanel} />}
      {conversation && (
        <Menu
          trigger={<IconButton icon="more" label={shared.more} />}
          groups={[
            {
              items: [
                {
                  label: conversation.pinned ? words.unpin : words.pin,
                  icon: "pin",
                  disabled: actions.locked,
                  run: () => actions.pin(conversation),
                },
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
      )}
    </>
  );
}

/** Title and buttons of the sheet's header. */
export const ChatHeader = { Title, Actions };
