import { createContext, type ReactNode, useContext } from "react";
import { shared } from "../words/shared.ts";

export interface ScreenProps {
  /** The list column at the left; without it the sheet takes the width. */
  readonly side?: ReactNode;
  /** Width of the list column in pixels (244). Narrow windows make it 208. */
  readonly sideWidth?: number;
  readonly children: ReactNode;
}

/** Whether a list column carries the screen's first heading. */
const SideContext = createContext(false);

/** What stands right of the rail: a list column and a sheet. */
export function Screen({ side, sideWidth, children }: ScreenProps) {
  const width = sideWidth === undefined ? undefined : ({ "--side": `${sideWidth}px` } as Record<string, string>);
  return (
    <div className={side ? "screen" : "screen noside"} style={width}>
      {side}
      <SideContext value={side !== undefined && side !== null}>{children}</SideContext>
    </div>
  );
}

export interface ListColumnProps {
  readonly title: string;
  /** Icon buttons beside the title. */
  readonly actions?: ReactNode;
  readonly search?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  /** The children scroll by themselves (a virtual list). */
  readonly ownScroll?: boolean;
}

export function ListColumn({ title, actions, search, children, footer, ownScroll }: ListColumnProps) {
  return (
    <aside className="side" aria-label={title} data-region="list" tabIndex={-1}>
      <header>
        <h1>{title}</h1>
        {actions}
      </header>
      {search}
      {ownScroll ? children : <div className="scroll">{children}</div>}
      {footer && <footer>{footer}</footer>}
    </aside>
  );
}

export interface SheetProps {
  readonly title: ReactNode;
  /** Quiet words after the title: a count, a place. */
  readonly meta?: ReactNode;
  readonly before?: ReactNode;
  readonly actions?: ReactNode;
  /** Strips under the header: degraded, offline, read-only. */
  readonly banner?: ReactNode;
  readonly children: ReactNode;
}

/** The one sheet on which one reads and works. Children are laid out as a row: panes and a side panel. */
export function Sheet({ title, meta, before, actions, banner, children }: SheetProps) {
  const Heading = useContext(SideContext) ? "h2" : "h1";
  return (
    <main className="main" data-region="sheet" tabIndex={-1}>
      <div className="bar">
        {before}
        {typeof title === "string" ? <Heading className="cut">{title}</Heading> : title}
        {meta && <span className="faint f12 num cut">{meta}</span>}
        <span className="grow" />
        {actions}
      </div>
      {banner}
      <div className="body">{children}</div>
    </main>
  );
}

export interface SidePanelProps {
  readonly label: string;
  readonly open: boolean;
  /** Called by the cover in narrow windows, where the panel lies over the content. */
  readonly onClose: () => void;
  readonly header?: ReactNode;
  readonly children: ReactNode;
}

export function SidePanel({ label, open, onClose, header, children }: SidePanelProps) {
  if (!open) return null;
  return (
    <>
      <button type="button" className="panel-cover" aria-label={shared.closePanel} tabIndex={-1} onClick={onClose} />
      <section className="panel" aria-label={label} data-region="panel" tabIndex={-1}>
        {header && <header>{header}</header>}
        <div className="scroll">{children}</div>
      </section>
    </>
  );
}
