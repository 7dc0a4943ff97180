import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Screen, Sheet } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Banner, EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { bytes, count, plural } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { useNow } from "../../hooks/useNow.ts";
import { navigate, useRoute } from "../../hooks/useRoute.ts";
import { memory as words } from "../../words/memory.ts";
import { MemoryColumn, topicName } from "./MemoryColumn.tsx";
import { MemoryList } from "./MemoryList.tsx";
import { MemoryPanel } from "./MemoryPanel.tsx";
import { filterOf, type MemoryPages, useMemoryCounts, useMemoryDetail, useMemoryEntries } from "./useMemory.ts";
import "./memory.css";

const places = ["everything", "said", "documents", "feeds", "pinned", "archived", "topic", "week", "year"];

/**
 * `#/memory/everything | said | documents | feeds | pinned | archived | week | year | topic/NAME`, each with `?entry=ID`
 * and `?q=words`; `#/memory/ID` opens one memory among everything.
 */
export function MemoryScreen() {
  const route = useRoute();
  const now = useNow(60_000);
  const [first = "everything", second = null] = route.path;
  const place = places.includes(first) ? first : "everything";
  const name = place === "topic" ? second : null;
  const current = route.query["entry"] ?? (places.includes(first) ? null : first);
  const query = route.query["q"] ?? "";
  const [order, setOrder] = useState<"newest" | "oldest">("newest");
  const filter = {
    ...filterOf(place, name, startOfHour(now)),
    order,
    ...(query.trim() === "" ? {} : { query: query.trim() }),
  };
  const counts = useMemoryCounts();
  const entries = useMemoryEntries(filter);
  const detail = useMemoryDetail(current);
  const path = name === null ? [place] : [place, name];
  const search = (q: string) =>
    navigate(
      { screen: "memory", path, query: { ...(q === "" ? {} : { q }), ...(current ? { entry: current } : {}) } },
      { replace: true },
    );
  const remove = async (id: string) => {
    entries.drop(id);
    navigate({ screen: "memory", path, query: query === "" ? {} : { q: query } }, { replace: true });
    if (!(await act("memory.delete", { ids: [id] }))) return entries.reload();
    toast({ text: words.deleted, undo: () => void act("memory.undelete", { ids: [id] }) });
  };
  const title = place === "topic" && name !== null ? topicName(name) : titleOf(place);
  return (
    <Screen
      sideWidth={208}
      side={
        <MemoryColumn counts={counts.data ?? null} place={place} name={name} query={query} now={now} onQuery={search} />
      }
    >
      <Sheet
        title={title}
        meta={entries.loading ? undefined : count(entries.total)}
        actions={<Actions order={order} searching={query.trim() !== ""} onOrder={setOrder} />}
        banner={<State counts={counts.data ?? null} />}
      >
        <section className="pane grow memory-pane" aria-label={title}>
          <Entries pages={entries} place={place} query={query} everything={counts.data?.everything ?? null}>
            <MemoryList
              entries={entries.entries}
              current={detail.data?.entry.id ?? current}
              now={now}
              byDay={query.trim() === ""}
              place={path}
              query={query === "" ? {} : { q: query }}
              onNearEnd={entries.more}
            />
          </Entries>
        </section>
        {current !== null && detail.problem && !detail.data && (
          <aside className="pane bl memory-panel">
            <ErrorState title={words.entryFailed} problem={detail.problem} onRetry={detail.reload} />
          </aside>
        )}
        {current !== null && detail.data && (
          <MemoryPanel
            key={detail.data.entry.id}
            detail={detail.data}
            now={now}
            onDelete={() => void remove(detail.data!.entry.id)}
          />
        )}
      </Sheet>
    </Screen>
  );
}

/** Times that move with every minute would make every minute another list. */
function startOfHour(now: number): number {
  return Math.floor(now / 3_600_000) * 3_600_000;
}

function titleOf(place: string): string {
  if (place === "week") return words.thisWeek;
  if (place === "year") return words.thisYear;
  return words.views[place as keyof typeof words.views] ?? words.views.everything;
}

function Entries(props: {
  readonly pages: MemoryPages;
  readonly place: string;
  readonly query: string;
  readonly everything: number | null;
  readonly children: React.ReactNode;
}) {
  const { pages, place, query } = props;
  if (pages.problem && pages.entries.length === 0) {
    return <ErrorState title={words.listFailed} problem={pages.problem} onRetry={pages.reload} />;
  }
  if (pages.loading) return <Skeleton lines={8} what={words.reading} />;
  if (pages.entries.length > 0) return props.children;
  if (query.trim() !== "") return <EmptyState title={words.emptyView}>{words.nothingFound(query.trim())}</EmptyState>;
  if (place === "everything" || props.everything === 0) {
    return (
      <EmptyState
        title={words.emptyTitle}
        actions={<Button onClick={() => navigate({ screen: "chat", path: ["new"] })}>{words.emptyAction}</Button>}
      >
        {words.emptyBody}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={words.emptyView}>{words.emptyViews[place as keyof typeof words.emptyViews] ?? ""}</EmptyState>
  );
}

function State({ counts }: { readonly counts: ReturnType<typeof useMemoryCounts>["data"] | null }) {
  if (!counts) return null;
  if (counts.rebuilding) {
    const { done, total, paused } = counts.rebuilding;
    return (
      <Banner
        line
        title={words.rebuilding(count(done), count(total))}
        action={
          <Button size="s" onClick={() => void act("memory.pauseRebuild", { paused: !paused })}>
            {paused ? words.goOn : words.pause}
          </Button>
        }
      >
        {words.rebuildingBody}
      </Banner>
    );
  }
  if (!counts.meaning && counts.everything > 0) {
    return (
      <Banner line title={words.wordsOnly}>
        {words.wordsOnlyBody}
      </Banner>
    );
  }
  return null;
}

function Actions(props: {
  readonly order: "newest" | "oldest";
  readonly searching: boolean;
  readonly onOrder: (order: "newest" | "oldest") => void;
}) {
  const save = async (format: "markdown" | "json") => {
    const made = await act("memory.export", { format });
    if (!made) return;
    const saved = await act("shell.saveText", { fileName: made.value.fileName, text: made.value.text });
    if (saved?.value.path)
      toast({ text: words.exported(plural(made.value.count, "memory", "memories"), saved.value.path) });
  };
  const backUp = async () => {
    const made = await act("backups.create", {});
    if (!made) return;
    const { path, bytes: size } = made.value;
    toast({
      text: words.backedUp(bytes(size)),
      action: { label: words.show, run: () => void act("shell.revealPath", { path }) },
    });
  };
  return (
    <>
      {props.searching ? (
        <span className="faint f12">{words.best}</span>
      ) : (
        <Menu
          trigger={
            <button type="button" className="pick" aria-label={words.order}>
              {words[props.order]}
              <Icon name="down" size="s" />
            </button>
          }
          groups={[
            {
              items: (["newest", "oldest"] as const).map((order) => ({
                label: words[order],
                checked: props.order === order,
                run: () => props.onOrder(order),
              })),
            },
          ]}
        />
      )}
      <Menu
        trigger={
          <Button kind="quiet" icon="export">
            {words.export}
          </Button>
        }
        groups={[
          {
            items: [
              { label: words.exportMarkdown, run: () => void save("markdown") },
              { label: words.exportJson, run: () => void save("json") },
            ],
          },
        ]}
      />
      <Button icon="lock" onClick={() => void backUp()}>
        {words.backUp}
      </Button>
    </>
  );
}
