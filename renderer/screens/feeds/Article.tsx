import { useState } from "react";
import type { Feed, FeedEntry, FeedEntryRow } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { bytes, duration } from "../../format/numbers.ts";
import { fullTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { useCall } from "../../hooks/useCall.ts";
import { useNow } from "../../hooks/useNow.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { useShortcut } from "../../keyboard/useShortcut.ts";
import { feeds as words } from "../../words/feeds.ts";
import { writeDraft } from "../chat/composer/drafts.ts";
import { ArticleHtml } from "./ArticleHtml.tsx";

export interface ArticleProps {
  readonly id: string | null;
  readonly feeds: readonly Feed[];
  readonly onChange: (id: string, change: Partial<FeedEntryRow>) => void;
}

/** The entry being read. */
export function Article({ id, feeds, onChange }: ArticleProps) {
  const entry = useCall("feeds.entry", id === null ? null : { id });
  if (id === null) {
    return (
      <section className="feeds-article centred" aria-label={words.pick}>
        <p className="faint">{words.pick}</p>
      </section>
    );
  }
  if (entry.problem) {
    return (
      <section className="feeds-article centred">
        <ErrorState title={words.entryFailed} problem={entry.problem} onRetry={entry.reload} />
      </section>
    );
  }
  if (!entry.data) return <section className="feeds-article">{entry.loading && <Skeleton lines={8} />}</section>;
  const data = entry.data;
  return (
    <Reading
      entry={data}
      feed={feeds.find((feed) => feed.id === data.feedId) ?? null}
      onChange={(change) => {
        entry.set((before) => before && { ...before, ...change });
        onChange(data.id, change);
      }}
      onReplace={(next) => entry.set(() => next)}
    />
  );
}

interface ReadingProps {
  readonly entry: FeedEntry;
  readonly feed: Feed | null;
  readonly onChange: (change: Partial<FeedEntryRow>) => void;
  readonly onReplace: (entry: FeedEntry) => void;
}

function Reading({ entry, feed, onChange, onReplace }: ReadingProps) {
  const now = useNow(60_000);
  const [fetching, setFetching] = useState(false);
  const star = () =>
    void act("feeds.star", { id: entry.id, starred: !entry.starred }).then(
      (done) => done && onChange({ starred: !entry.starred }),
    );
  const setRead = (read: boolean) =>
    void act("feeds.markRead", { ids: [entry.id], read }).then((done) => done && onChange({ read }));
  const original = () => entry.link && void act("shell.openExternal", { url: entry.link });
  const ask = () => {
    writeDraft("new", words.askDraft(entry.title), false);
    navigate({ screen: "chat", path: ["new"] });
  };
  const fetchAll = async () => {
    setFetching(true);
    const whole = await act("feeds.fetchFullText", { id: entry.id });
    setFetching(false);
    if (whole) onReplace(whole.value);
  };
  useShortcut({ keys: "s", run: star });
  useShortcut({ keys: "m", run: () => setRead(!entry.read) });
  useShortcut({ keys: "o", run: () => original() ?? false });
  const openable = entry.link?.startsWith("https://") ?? false;
  return (
    <section className="feeds-article" aria-label={entry.title}>
      <div className="bar">
        <span className="grow" />
        <Button kind="quiet" icon="ask" onClick={ask}>
          {words.ask}
        </Button>
        <IconButton
          icon="star"
          label={entry.starred ? words.unstar : words.star}
          keys="s"
          pressed={entry.starred}
          onClick={star}
        />
        <Button kind="quiet" icon="out" disabled={!openable} onClick={original}>
          {words.original}
        </Button>
        <Menu
          trigger={<IconButton icon="more" label={words.more} />}
          groups={[
            {
              items: [
                { label: words.markUnread, icon: "eye", keys: "m", run: () => setRead(false) },
                ...(entry.link && !entry.fullText
                  ? [{ label: words.fullText, icon: "import" as const, disabled: fetching, run: () => void fetchAll() }]
                  : []),
              ],
            },
          ]}
        />
      </div>
      <div className="scroll">
        <article className="reading">
          <p className="f12 faint">
            {[
              feed?.title ?? entry.feedTitle,
              entry.author,
              fullTime(entry.at, now),
              entry.fullText ? words.fullTextShown : null,
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
          <h1>{entry.title}</h1>
          {entry.evidence && (
            <p className="row f12">
              <span className="chip">
                <Icon name="beliefs" size="s" />
                {entry.evidence.note}
              </span>
            </p>
          )}
          {entry.html ? (
            <ArticleHtml html={entry.html} entryId={entry.id} />
          ) : (
            <p className="dim">{entry.link ? words.noTextLink : words.noText}</p>
          )}
          {entry.enclosures.length > 0 && (
            <section className="enclosures" aria-label={words.enclosures}>
              <h2 className="lab">{words.enclosures}</h2>
              {entry.enclosures.map((file) => (
                <Button
                  key={file.url}
                  kind="quiet"
                  size="s"
                  icon="out"
                  disabled={!file.url.startsWith("https://")}
                  onClick={() => void act("shell.openExternal", { url: file.url })}
                >
                  {[
                    nameOf(file.url),
                    file.durationSeconds === null ? null : duration(file.durationSeconds * 1000),
                    file.bytes === null ? null : bytes(file.bytes),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </Button>
              ))}
            </section>
          )}
        </article>
      </div>
    </section>
  );
}

function nameOf(url: string): string {
  return decodeURIComponent(url.split(/[?#]/)[0]!.split("/").filter(Boolean).at(-1) ?? url);
}
