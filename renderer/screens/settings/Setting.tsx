import type { ReactNode } from "react";

export function SettingGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="setting-group" aria-label={title}>
      <h2 className="lab">{title}</h2>
      <div className="card">{children}</div>
    </section>
  );
}

export interface SettingProps {
  readonly label: string;
  readonly note?: ReactNode;
  /** The control at the right. */
  readonly children?: ReactNode;
}

export function Setting({ label, note, children }: SettingProps) {
  return (
    <div className="setting">
      <div className="grow">
        <p className="m">{label}</p>
        {note && <p className="f12 faint note">{note}</p>}
      </div>
      {children}
    </div>
  );
}
