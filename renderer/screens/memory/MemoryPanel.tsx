import { useState } from "react";
import type { ConversationId, MemoryDetail } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Chip } from "../../components/Chip.tsx";
import { plural } from "../../format/numbers.ts";
import { shortTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { memory as words } from "../../words/memory.ts";
import { topicName } from "./MemoryColumn.tsx";
import { MemoryIcon, originOf } from "./MemoryRow.tsx";

export interface MemoryPanelProps {
  readonly detail: MemoryDetail;
  readonly now: number;
  readonly onDelete: () => void;
}

const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

function dateOf(then: number, now: number): string {
  const sameYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayAndMonth : withYear).format(then);
}

/** One memory: its words, where they were said, how long it lasts and why, and what can be done about it. */
export function MemoryPanel({ detail, now, onDelete }: MemoryPanelProps) {
  const { entry } = detail;
  const [draft, setDraft] = useState<string | null>(null);
  const own = entry.kind === "message" || entry.kind === "memory";
  const save = async () => {
    const text = draft?.trim() ?? "";
    if (text !== "" && text !== entry.text && !(await act("memory.edit", { id: entry.id, text }))) return;
    setDraft(null);
  };
  return (
    <aside className="pane bl memory-panel" aria-label={entry.text.slice(0, 80)} data-region="panel" tabIndex={-1}>
      <div className="row">
        <Chip>
          <MemoryIcon kind={entry.kind} />
          {own ? originOf(entry) : words.kinds[entry.kind]}
        </Chip>
        {entry.claim && <Chip>{words.claim}</Chip>}
        {entry.edited && <Chip tone="outline">{words.edited}</Chip>}
        {entry.archived && <Chip tone="outline">{words.archivedMark}</Chip>}
        <span className="grow" />
        <IconButton
          icon="pin"
          label={entry.pinned ? words.unpin : words.pin}
          pressed={entry.pinned}
          onClick={() => void act("memory.pin", { id: entry.id, pinned: !entry.pinned })}
        />
        {own && <IconButton icon="edit" label={words.edit} onClick={() => setDraft(entry.text)} />}
        <IconButton icon="trash" label={words.delete} onClick={onDelete} />
      </div>
      {draft === null ? (
        <p className="memory-text">{entry.text}</p>
      ) : (
        <form
          className="memory-edit"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <textarea
            aria-label={words.editLabel}
            // biome-ignore lint/a11y/noAutofocus: the field replaces the words that the user chose to edit
            autoFocus
            rows={4}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setDraft(null);
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
            }}
          />
          <div className="row">
            <Button type="submit" kind="primary" size="s" disabled={draft.trim() === ""}>
              {words.save}
            </Button>
            <Button size="s" kind="quiet" onClick={() => setDraft(null)}>
              {words.cancel}
            </Button>
          </div>
        </form>
      )}
      <div className="memory-block">
        <span className="lab">{words.comesFrom}</span>
        {detail.sources.map((source) => (
          <Source key={source.passageId} source={source} now={now} />
        ))}
      </div>
      <div className="hr" />
      <Facts detail={detail} now={now} />
      {detail.questions.length > 0 && (
        <>
          <div className="hr" />
          <div className="memory-block">
            <span className="lab">{words.alsoAnswers}</span>
            <ul className="dim memory-questions">
              {detail.questions.map((question) => (
                <li key={question}>{question}</li>
              ))}
            </ul>
          </div>
        </>
      )}
      <Use detail={detail} />
    </aside>
  );
}

function Source({ source, now }: { readonly source: MemoryDetail["sources"][number]; readonly now: number }) {
  const open = opener(source);
  const own = source.kind === "message";
  return (
    <div className="memory-quote">
      <blockquote className="src">{own ? words.quoted(source.quote) : source.quote}</blockquote>
      <span className="f12 faint">{[source.title, shortTime(source.at, now)].filter(Boolean).join(", ")}</span>
      {open && (
        <Button kind="quiet" size="s" icon="arrow" onClick={open}>
          {words.open[source.kind]}
        </Button>
      )}
    </div>
  );
}

function opener(source: MemoryDetail["sources"][number]): (() => void) | null {
  if (source.kind === "document") return () => navigate({ screen: "library", path: ["passage", source.passageId] });
  if (source.kind === "feed")
    return () => navigate({ screen: "feeds", path: ["all"], query: { entry: source.sourceId } });
  if (source.kind === "message" && source.messageId !== null) {
    return () => navigate({ screen: "chat", path: [source.sourceId], query: { message: source.messageId! } });
  }
  return null;
}

function Facts({ detail, now }: { readonly detail: MemoryDetail; readonly now: number }) {
  const { entry } = detail;
  return (
    <dl className="memory-facts">
      <dt>{words.used}</dt>
      <dd>
        {entry.uses > 0 && entry.lastUsedAt !== null
          ? words.usedIn(plural(entry.uses, "answer"), shortTime(entry.lastUsedAt, now))
          : words.notUsed}
      </dd>
      {detail.topics.length > 0 && (
        <>
          <dt>{words.topicsOf}</dt>
          <dd>{detail.topics.map(topicName).join(", ")}</dd>
        </>
      )}
      {detail.keptUntil !== null && (
        <>
          <dt>{words.keptUntil}</dt>
          <dd>{words.keptIfUnused(dateOf(detail.keptUntil, now))}</dd>
        </>
      )}
      <dt>{words.why}</dt>
      <dd className="dim">{detail.why}</dd>
    </dl>
  );
}

/** Whether answers may use it: in the chat it comes from it can be left out, and taken up again. */
function Use({ detail }: { readonly detail: MemoryDetail }) {
  const { entry, dismissedIn } = detail;
  const set = (conversations: readonly string[], dismissed: boolean) =>
    void Promise.all(
      conversations.map((id) =>
        act("memory.dismiss", {
          conversationId: id as ConversationId,
          kind: entry.kind,
          sourceId: entry.id,
          dismissed,
        }),
      ),
    );
  if (dismissedIn.length > 0) {
    return (
      <div className="memory-use">
        <span className="f12 dim">{words.dismissed(plural(dismissedIn.length, "chat"))}</span>
        <Button onClick={() => set(dismissedIn, false)}>{words.useAgain}</Button>
      </div>
    );
  }
  const chat = detail.sources.find((source) => source.kind === "message" && source.messageId !== null)?.sourceId;
  if (chat === undefined) return null;
  return (
    <div className="memory-use">
      <Button onClick={() => set([chat], true)}>{words.dismiss}</Button>
      <span className="f12 faint">{words.dismissNote}</span>
    </div>
  );
}
