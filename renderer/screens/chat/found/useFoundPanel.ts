import { useCallback, useMemo, useState } from "react";
import type { FoundPassage, Message } from "../../../../core/contract/index.ts";
import type { TurnView } from "../../../turns/view.ts";
import { emptyMessage } from "../emptyMessage.ts";
import { useTrailPart } from "../turns/useTrail.ts";
import type { FoundTab } from "./FoundPanel.tsx";

export interface FoundPanelState {
  /** Passages of the chosen answer, else of the newest one. */
  readonly passages: readonly FoundPassage[];
  readonly open: boolean;
  readonly tab: FoundTab;
  readonly selected: number | null;
  readonly setTab: (tab: FoundTab) => void;
  readonly toggle: () => void;
  readonly show: (messageId: string, tab: FoundTab) => void;
  readonly showSource: (messageId: string, number: number) => void;
}

/** In a wide window the panel opens by itself when something was found, until the user closes it. */
const wide = () => window.matchMedia("(min-width: 1121px)").matches;
let closedByUser = false;
const none: readonly FoundPassage[] = [];
const foundOf = (turn: TurnView): readonly FoundPassage[] => turn.found;

export function useFoundPanel(messages: readonly Message[], newest: string | null): FoundPanelState {
  const [chosen, setChosen] = useState<{ messageId: string; number: number | null } | null>(null);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [tab, setTab] = useState<FoundTab>("found");
  const id = chosen && messages.some((each) => each.id === chosen.messageId) ? chosen.messageId : newest;
  const message = messages.find((each) => each.id === id) ?? emptyMessage;
  const passages = useTrailPart(message, foundOf) ?? none;
  const hasFound = passages.length > 0;
  const open = wanted ?? (hasFound && wide() && !closedByUser);

  const toggle = useCallback(() => {
    closedByUser = open;
    setWanted(!open);
  }, [open]);
  const show = useCallback((messageId: string, next: FoundTab) => {
    setChosen({ messageId, number: null });
    setTab(next);
    setWanted(true);
  }, []);
  const showSource = useCallback((messageId: string, number: number) => {
    setChosen({ messageId, number });
    setWanted(true);
  }, []);
  const selected = chosen?.messageId === id ? (chosen?.number ?? null) : null;
  const selectedPassage = passages.find((each) => each.number === selected);
  const shownTab: FoundTab =
    selectedPassage && (selectedPassage.kind === "memory" || selectedPassage.kind === "message") ? "recalled" : tab;
  return useMemo(
    () => ({
      passages,
      open,
      tab: shownTab,
      selected,
      setTab: (next: FoundTab) => {
        setChosen((before) => before && { ...before, number: null });
        setTab(next);
      },
      toggle,
      show,
      showSource,
    }),
    [passages, open, shownTab, selected, toggle, show, showSource],
  );
}
