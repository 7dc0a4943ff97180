import { count as figure } from "../format/numbers.ts";
import { moveInGroup } from "./roving.ts";

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly items: readonly { readonly id: Id; readonly label: string; readonly count?: number }[];
  readonly onChange: (id: Id) => void;
  /** Id of the element that shows the chosen tab's content; give it `role="tabpanel"`. */
  readonly controls?: string;
}

/** Tabs with counts; the content is the caller's. */
export function Tabs<Id extends string>({ label, value, items, onChange, controls }: TabsProps<Id>) {
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={(event) => moveInGroup(event, '[role="tab"]')}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          aria-selected={item.id === value}
          aria-controls={controls}
          tabIndex={item.id === value ? 0 : -1}
          onClick={() => item.id !== value && onChange(item.id)}
        >
          {item.label}
          {item.count !== undefined && <span className="faint num">{figure(item.count)}</span>}
        </button>
      ))}
    </div>
  );
}
