import { useEffect, useMemo, useRef, useState } from "react";
import type { ConversationId, TurnId } from "../../../core/contract/index.ts";
import { Sheet } from "../../components/Frame.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { act } from "../../hooks/useAction.ts";
import { useReadOnly } from "../../hooks/useAppInfo.ts";
import { useModels } from "../../hooks/useModels.ts";
import { useSettings } from "../../hooks/useSettings.ts";
import { useActivePart } from "../../turns/useTurn.ts";
import type { TurnView } from "../../turns/view.ts";
import { chat as words } from "../../words/chat.ts";
import { ApprovalDialog } from "./approval/ApprovalDialog.tsx";
import { ChatHeader } from "./ChatHeader.tsx";
import { Composer, type ComposerHandle } from "./composer/Composer.tsx";
import { AnswerGauge } from "./composer/Gauge.tsx";
import { ModelPick } from "./composer/ModelPick.tsx";
import { ScopePick } from "./composer/ScopePick.tsx";
import { EngineBanner } from "./EngineBanner.tsx";
import { emptyMessage } from "./emptyMessage.ts";
import { FindBar } from "./find/FindBar.tsx";
import { useFind } from "./find/useFind.ts";
import { dismissRecalled } from "./found/dismissRecalled.ts";
import { FoundPanel } from "./found/FoundPanel.tsx";
import { useFoundPanel } from "./found/useFoundPanel.ts";
import { Announcer } from "./thread/Announcer.tsx";
import { JumpToEnd } from "./thread/JumpToEnd.tsx";
import { MessageList, type MessageListHandle } from "./thread/MessageList.tsx";
import { MessageRow } from "./thread/MessageRow.tsx";
import { useMessageActions } from "./thread/useMessageActions.ts";
import { useThread } from "./thread/useThread.ts";
import { useChatKeys } from "./useChatKeys.ts";

export interface ChatSheetProps {
  readonly id: ConversationId;
  readonly find: string | null;
  readonly message: string | null;
}

/** Where one was in each conversation, for coming back. */
const positions = new Map<string, string>();

const idOf = (turn: TurnView) => turn.turnId as TurnId;
const isAsking = (turn: TurnView) => turn.question !== null;

/** One conversation: thread, composer, and what was found beside them. */
export function ChatSheet({ id, find: findText, message: wanted }: ChatSheetProps) {
  const thread = useThread(id);
  const models = useModels();
  const settings = useSettings();
  const readOnly = useReadOnly();
  const activeId = useActivePart(id, idOf);
  const asked = useActivePart(id, isAsking) ?? false;
  const list = useRef<MessageListHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const [atEnd, setAtEnd] = useState(true);

  const lastAnswer = thread.messages.findLast((each) => each.role === "assistant");
  const panel = useFoundPanel(thread.messages, lastAnswer?.id ?? null);
  const [returnTo] = useState(() => wanted ?? positions.get(id) ?? null);
  const find = useFind(thread, findText, returnTo, (messageId) => list.current?.toMessage(messageId));
  const toEnd = useMemo(() => () => list.current?.toEnd(), []);
  const actions = useMessageActions({
    conversationId: id,
    put: thread.put,
    showSource: panel.showSource,
    showFound: panel.show,
    toEnd,
  });
  useChatKeys({ activeId, lastAnswerId: lastAnswer?.id ?? null, actions, panel, find });
  useEffect(() => {
    if (!find.open) composer.current?.focus();
  }, [find.open]);

  const send = async (text: string) => {
    const sent =
      asked && activeId
        ? await act("turns.clarify", { turnId: activeId, text })
        : await act("turns.send", { conversationId: id, text });
    if (sent) toEnd();
    return sent !== null;
  };
  const conversation = thread.conversation;
  return (
    <Sheet
      title={<ChatHeader.Title conversation={conversation} />}
      banner={<EngineBanner />}
      actions={
        <ChatHeader.Actions
          conversation={conversation}
          canInspect={lastAnswer !== undefined}
          onInspect={() => lastAnswer && actions.inspect(lastAnswer.id, null)}
          onFind={find.toggle}
          panelOpen={panel.open}
          onPanel={panel.toggle}
        />
      }
    >
      <section className="pane grow">
        {find.open && <FindBar find={find} />}
        {thread.problem && thread.messages.length === 0 ? (
          <div className="centred">
            <ErrorState title={words.threadFailed} problem={thread.problem} onRetry={thread.reload} />
          </div>
        ) : thread.loading ? (
          <div className="thread-empty">
            <Skeleton lines={4} what={words.readingThread} />
          </div>
        ) : (
          <MessageList
            handle={list}
            messages={thread.messages}
            hasOlder={thread.hasOlder}
            headLoads={thread.headLoads}
            onOlder={thread.loadOlder}
            onAtEnd={setAtEnd}
            onPosition={(messageId) => (messageId ? positions.set(id, messageId) : positions.delete(id))}
            render={(message, index) => (
              <MessageRow
                message={message}
                last={index === thread.messages.length - 1}
                readOnly={readOnly !== null}
                actions={actions}
              />
            )}
          />
        )}
        <div className="above-comp">{!atEnd && <JumpToEnd live={activeId !== null} onClick={toEnd} />}</div>
        <Composer
          handle={composer}
          conversationId={id}
          ephemeral={conversation?.ephemeral ?? false}
          sendWithEnter={settings?.sendWithEnter ?? true}
          answering={activeId !== null}
          asked={asked}
          blocked={readOnly ? words.readOnly : null}
          onSend={send}
          onStop={() => activeId && act("turns.stop", { turnId: activeId })}
          controls={
            <>
              <ModelPick models={models} />
              {conversation?.scope && (
                <ScopePick
                  scope={conversation.scope}
                  onClear={() => act("conversations.setScope", { id, scope: null })}
                />
              )}
            </>
          }
          gauge={<AnswerGauge answer={lastAnswer ?? emptyMessage} />}
        />
        <Announcer conversationId={id} />
      </section>
      <FoundPanel
        passages={panel.passages}
        open={panel.open}
        tab={panel.tab}
        selected={panel.selected}
        onDismiss={(passage) => void dismissRecalled(id, passage)}
        onTab={panel.setTab}
        onClose={panel.toggle}
      />
      <ApprovalDialog conversationId={id} />
    </Sheet>
  );
}
