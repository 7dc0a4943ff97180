import { useEffect, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Sheet } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { count } from "../../format/numbers.ts";
import type { BridgeResult } from "../../hooks/bridge.ts";
import type { CallState } from "../../hooks/useCall.ts";
import { useNow } from "../../hooks/useNow.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { useShortcut } from "../../keyboard/useShortcut.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { BeliefMap } from "./BeliefMap.tsx";
import { BeliefRow } from "./BeliefRow.tsx";
import { Digest } from "./Digest.tsx";
import { Selected } from "./Selected.tsx";
import type { Filter, Sort } from "./useBeliefs.ts";

export interface BeliefListProps {
  readonly list: CallState<BridgeResult<"beliefs.list">>;
  readonly filter: Filter;
  readonly onSort: (sort: Sort) => void;
  readonly onAdd: () => void;
}

/** Up to this width list and map do not fit side by side (see beliefs.css). */
const NARROW = 1000;
const sorts: readonly Sort[] = ["change", "valence", "confidence", "evidence", "statement"];

/** The beliefs of a view, as a list and as a map. */
export function BeliefList({ list, filter, onSort, onAdd }: BeliefListProps) {
  const now = useNow(60_000);
  const [layout, setLayout] = useState<"list" | "both">(() => (window.innerWidth <= NARROW ? "list" : "both"));
  const [selected, setSelected] = useState<string | null>(null);
  const found = list.data?.beliefs ?? [];
  const current = found.find((belief) => belief.id === selected) ?? found[0] ?? null;
  const index = current ? found.indexOf(current) : -1;
  // A view that no longer holds the selected belief forgets it.
  useEffect(() => {
    if (selected !== null && list.data && !list.data.beliefs.some((belief) => belief.id === selected))
      setSelected(null);
  }, [list.data, selected]);
  const move = (by: number) => {
    const next = found[Math.min(found.length - 1, Math.max(0, index + by))];
    if (next) setSelected(next.id);
  };
  useShortcut({ keys: "j", run: () => move(1) });
  useShortcut({ keys: "k", run: () => move(-1) });
  useShortcut({
    keys: "enter",
    run: () =>
      current && document.activeElement === document.body ? navigate({ screen: "beliefs", path: [current.id] }) : false,
  });

  const title = filter.topic
    ? (list.data?.topics.find((topic) => topic.topic === filter.topic)?.title ?? filter.topic)
    : words.views[filter.view];
  const bare = list.data !== undefined && list.data.counts.all + list.data.counts.retired === 0;
  return (
    <Sheet
      title={title}
      meta={list.data && count(list.data.total)}
      actions={
        !bare && (
          <>
            <Button icon="plus" kind="quiet" onClick={onAdd}>
              {words.addTitle}
            </Button>
            <Menu
              trigger={
                <button type="button" className="pick">
                  {words.sort[filter.sort]}
                  <Icon name="down" size="s" />
                </button>
              }
              groups={[
                {
                  items: sorts.map((sort) => ({
                    label: words.sort[sort],
                    checked: sort === filter.sort,
                    run: () => onSort(sort),
                  })),
                },
              ]}
            />
            <Segmented
              label={words.layout}
              value={layout}
              onChange={setLayout}
              options={[
                { value: "list", label: words.list, icon: "list" },
                { value: "both", label: words.listAndMap, icon: "panel" },
              ]}
            />
          </>
        )
      }
      banner={!bare && <Digest />}
    >
      {list.problem && !list.data ? (
        <div className="centred grow">
          <ErrorState title={words.listFailed} problem={list.problem} onRetry={list.reload} />
        </div>
      ) : !list.data ? (
        <div className="grow">
          <Skeleton lines={8} what={words.reading} />
        </div>
      ) : bare ? (
        <div className="centred grow">
          <EmptyState
            icon="beliefs"
            title={words.emptyTitle}
            actions={<Button onClick={onAdd}>{words.emptyAction}</Button>}
          >
            {words.empty}
          </EmptyState>
        </div>
      ) : found.length === 0 ? (
        <div className="centred grow">
          <EmptyState
            title={words.noneFound}
            actions={<Button onClick={() => navigate({ screen: "beliefs" })}>{words.showAll}</Button>}
          >
            {words.noneFoundDetail}
          </EmptyState>
        </div>
      ) : (
        <>
          <section className="pane grow listpane" aria-label={words.list}>
            <VirtualList
              items={found}
              itemKey={(belief) => belief.id}
              label={title}
              className="grow"
              render={(belief) => (
                <BeliefRow belief={belief} now={now} selected={belief.id === current?.id} onSelect={setSelected} />
              )}
            />
          </section>
          {layout === "both" && (
            <section className="pane bl mappane" aria-label={words.map}>
              <BeliefMap beliefs={found} selected={current?.id ?? null} onSelect={setSelected} />
              {current && <Selected key={current.id} belief={current} />}
            </section>
          )}
        </>
      )}
    </Sheet>
  );
}
