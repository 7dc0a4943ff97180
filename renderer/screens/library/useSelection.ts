import { type MouseEvent, useRef, useState } from "react";

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** A click on a row: alone, with Shift from the last one, with Ctrl or Cmd one more or less. */
  click(id: string, event: MouseEvent): void;
  all(): void;
  clear(): void;
}

/** Which of the rows in `order` are chosen. Rows that are gone drop out by themselves. */
export function useSelection(order: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const present = new Set(order);
  const ids = new Set([...chosen].filter((id) => present.has(id)));
  return {
    ids,
    click(id, event) {
      const from = last.current === null ? -1 : order.indexOf(last.current);
      if (event.shiftKey && from >= 0) {
        const to = order.indexOf(id);
        setChosen(new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)));
        return;
      }
      last.current = id;
      if (event.ctrlKey || event.metaKey) {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        setChosen(next);
      } else setChosen(new Set([id]));
    },
    all: () => setChosen(present),
    clear: () => setChosen(new Set()),
  };
}
