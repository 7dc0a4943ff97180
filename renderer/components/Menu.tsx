import { Menu as Base } from "@base-ui/react/menu";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import { Kbd } from "./Kbd.tsx";

export interface MenuAction {
  readonly label: string;
  readonly icon?: IconName;
  readonly keys?: string;
  /** Quiet words at the right end. */
  readonly note?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Marks the chosen one of several. */
  readonly checked?: boolean;
  readonly run: () => void;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** Groups are parted by a line; empty ones vanish. */
  readonly groups: readonly { readonly label?: string; readonly items: readonly MenuAction[] }[];
  readonly align?: "start" | "end";
  readonly onOpenChange?: (open: boolean) => void;
  readonly side?: "top" | "bottom";
}

export function Menu({ trigger, groups, align = "end", side = "bottom", onOpenChange }: MenuProps) {
  const shown = groups.filter((group) => group.items.length > 0);
  return (
    <Base.Root onOpenChange={onOpenChange && ((open) => onOpenChange(open))}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-pos" align={align} side={side} sideOffset={4}>
          <Base.Popup className="menu">
            {shown.map((group, index) => (
              <Fragment key={group.label ?? index}>
                {index > 0 && <Base.Separator className="sep" />}
                <Base.Group>
                  {group.label && <Base.GroupLabel className="lab">{group.label}</Base.GroupLabel>}
                  {group.items.map((item) => (
                    <Item key={item.label} item={item} />
                  ))}
                </Base.Group>
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item }: { readonly item: MenuAction }) {
  const icon = item.checked ? "check" : item.icon;
  return (
    <Base.Item
      className={item.danger ? "mi danger" : "mi"}
      disabled={item.disabled}
      onClick={item.run}
      aria-current={item.checked ? "true" : undefined}
    >
      {icon ? <Icon name={icon} size="s" /> : item.checked === false ? <span className="i-gap" /> : null}
      <span className="cut">{item.label}</span>
      {item.note && <span className="n">{item.note}</span>}
      {item.keys && (
        <span className="n">
          <Kbd keys={item.keys} />
        </span>
      )}
    </Base.Item>
  );
}
