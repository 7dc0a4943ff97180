import type { ReactNode } from "react";
import { formatRoute } from "../hooks/useRoute.ts";
import { Icon, type IconName } from "./Icon.tsx";

export interface ListRowProps {
  readonly to: { readonly screen: string; readonly path?: readonly string[]; readonly query?: Record<string, string> };
  readonly label: ReactNode;
  /** A second line makes the row taller. */
  readonly detail?: ReactNode;
  readonly icon?: IconName;
  /** At the right end of a one-line row. */
  readonly count?: ReactNode;
  readonly current?: boolean;
  readonly className?: string;
}

/** A row of the list column: a link, so that it can be opened, focused and read aloud as one. */
export function ListRow({ to, label, detail, icon, count, current, className }: ListRowProps) {
  const classes = ["li", detail === undefined ? "" : "two", className ?? ""].filter(Boolean).join(" ");
  return (
    <a className={classes} href={formatRoute(to)} aria-current={current ? "page" : undefined} draggable={false}>
      {detail === undefined ? (
        <>
          {icon && <Icon name={icon} />}
          <span className="cut">{label}</span>
          {count !== undefined && <span className="n">{count}</span>}
        </>
      ) : (
        <>
          <span className="t cut">{label}</span>
          <span className="u cut">{detail}</span>
        </>
      )}
    </a>
  );
}
