import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

export interface ActivityItem {
  readonly id: string;
  /** What was done: "Searched the library". */
  readonly what: string;
  /** Quietly after it: “night passage flow”. */
  readonly detail?: string;
  /** At the right: "6 passages · 0.3 s". */
  readonly figure?: string;
  readonly now?: boolean;
  readonly failed?: boolean;
}

export interface ActivityLineProps {
  readonly title: string;
  readonly detail?: string;
  readonly items: readonly ActivityItem[];
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onOpenItem?: (id: string) => void;
  readonly children?: ReactNode;
}

/** One quiet line that opens into the steps. */
export function ActivityLine({ title, detail, items, open, onToggle, onOpenItem, children }: ActivityLineProps) {
  return (
    <div className="act">
      <button type="button" className="h" aria-expanded={open} onClick={onToggle}>
        <Icon name={open ? "down" : "right"} size="s" />
        {title}
        {detail && <span className="faint cut">· {detail}</span>}
      </button>
      {open && (
        <ol>
          {items.map((item) => (
            <li key={item.id} className={item.now ? "now" : item.failed ? "failed" : undefined}>
              {onOpenItem ? (
                <button type="button" className="what cut" onClick={() => onOpenItem(item.id)}>
                  <b>{item.what}</b> {item.detail}
                </button>
              ) : (
                <span className="what cut">
                  <b>{item.what}</b> {item.detail}
                </span>
              )}
              {item.figure && <span className="n num">{item.figure}</span>}
            </li>
          ))}
        </ol>
      )}
      {open && children}
    </div>
  );
}
