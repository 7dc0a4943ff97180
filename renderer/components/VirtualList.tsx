import { type ReactNode, type Ref, useRef } from "react";
import { VList, type VListHandle } from "virtua";

export type { VListHandle };

export interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  readonly render: (item: Item, index: number) => ReactNode;
  readonly label: string;
  /** Close to the end: load more. Called at most once per length of `items`. */
  readonly onNearEnd?: () => void;
  readonly handle?: Ref<VListHandle>;
  readonly className?: string;
  readonly role?: string;
  /** Nothing inside takes the focus: the list itself does, to be scrolled by keys. */
  readonly focusable?: boolean;
}

/** Thousands of rows of any height; only those in view exist. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, itemKey, render, label, onNearEnd, handle, className, role = "list", focusable } = props;
  const inner = useRef<VListHandle | null>(null);
  const askedAt = useRef(-1);
  const nearEnd = () => {
    const list = inner.current;
    if (!list || !onNearEnd || askedAt.current === items.length) return;
    if (list.scrollOffset + list.viewportSize > list.scrollSize - 600) {
      askedAt.current = items.length;
      onNearEnd();
    }
  };
  return (
    <VList
      ref={(list) => {
        inner.current = list;
        if (typeof handle === "function") handle(list);
        else if (handle) handle.current = list;
      }}
      className={["scroll", className].filter(Boolean).join(" ")}
      role={role}
      aria-label={label}
      tabIndex={focusable ? 0 : undefined}
      onScroll={nearEnd}
    >
      {items.map((item, index) => (
        <div key={itemKey(item)} role={role === "list" ? "listitem" : undefined}>
          {render(item, index)}
        </div>
      ))}
    </VList>
  );
}
