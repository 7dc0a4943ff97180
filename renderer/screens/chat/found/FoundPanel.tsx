import { useEffect, useId, useRef } from "react";
import type { FoundPassage } from "../../../../core/contract/index.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { SidePanel } from "../../../components/Frame.tsx";
import { Passage } from "../../../components/Passage.tsx";
import { EmptyState } from "../../../components/States.tsx";
import { Tabs } from "../../../components/Tabs.tsx";
import { chat as words } from "../../../words/chat.ts";
import { canOpen, openSource, recalledOf, sourcesOf } from "./sources.ts";

export type FoundTab = "found" | "recalled";

export interface FoundPanelProps {
  readonly passages: readonly FoundPassage[];
  readonly open: boolean;
  readonly tab: FoundTab;
  /** The passage a citation pointed to. */
  readonly selected: number | null;
  /** Leaves a recalled passage out of this chat from now on. */
  readonly onDismiss?: (passage: FoundPassage) => void;
  readonly onTab: (tab: FoundTab) => void;
  readonly onClose: () => void;
}

/** What was found for an answer, beside it: the user sees the evidence even when the words are weak. */
export function FoundPanel({ passages: all, open, tab, selected, onDismiss, onTab, onClose }: FoundPanelProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const found = sourcesOf(all);
  const recalled = recalledOf(all);
  const passages = tab === "found" ? found : recalled;
  useEffect(() => {
    if (selected === null || !open) return;
    list.current?.querySelector(`[data-passage="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected, open]);
  return (
    <SidePanel
      label={words.foundFor}
      open={open}
      onClose={onClose}
      header={
        <>
          <Tabs
            label={words.foundFor}
            value={tab}
            onChange={onTab}
            controls={id}
            items={[
              { id: "found", label: words.found, count: found.length },
              { id: "recalled", label: words.recalled, count: recalled.length },
            ]}
          />
          <span className="grow" />
          <IconButton icon="panel" label={words.hidePanel} keys="mod+e" onClick={onClose} />
        </>
      }
    >
      <div id={id} role="tabpanel" aria-label={tab === "found" ? words.found : words.recalled}>
        {passages.length === 0 ? (
          <div className="list-state">
            <EmptyState title={tab === "found" ? words.nothingFoundHere : words.nothingRecalled}>
              {tab === "found" ? words.nothingFoundHereBody : words.nothingRecalledBody}
            </EmptyState>
          </div>
        ) : (
          <ul ref={list}>
            {passages.map((passage) => (
              <Passage
                key={passage.number}
                passage={passage}
                on={passage.number === selected}
                onOpen={canOpen(passage) ? openSource : undefined}
                action={
                  tab === "recalled" && onDismiss ? (
                    <Button size="s" kind="quiet" onClick={() => onDismiss(passage)}>
                      {words.dismissRecalled}
                    </Button>
                  ) : undefined
                }
              />
            ))}
          </ul>
        )}
      </div>
    </SidePanel>
  );
}
