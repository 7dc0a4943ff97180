import type { ReactNode } from "react";
import type { BridgeError } from "../hooks/bridge.ts";
import { useDelayed } from "../hooks/useDelayed.ts";
import { shared } from "../words/shared.ts";
import { Button } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";

export interface EmptyStateProps {
  readonly title: string;
  readonly icon?: IconName;
  /** What will appear and what makes it appear. */
  readonly children?: ReactNode;
  /** One action, perhaps a quiet second. */
  readonly actions?: ReactNode;
  /** A drawing above the title. */
  readonly art?: ReactNode;
}

export function EmptyState({ title, icon, children, actions, art }: EmptyStateProps) {
  return (
    <div className="empty">
      {art}
      <h3>
        {icon && <Icon name={icon} />}
        {title}
      </h3>
      {typeof children === "string" ? <p>{children}</p> : children}
      {actions && <div className="acts">{actions}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  readonly problem: BridgeError;
  /** What could not be done: "The chats could not be read". */
  readonly title: string;
  readonly onRetry?: () => void;
  readonly actions?: ReactNode;
}

/** A sentence, what is safe, what to do; the facts behind "Show details". */
export function ErrorState({ problem, title, onRetry, actions }: ErrorStateProps) {
  return (
    <div className="empty" role="alert">
      <h3>
        <Icon name="alert" className="bad" />
        {title}
      </h3>
      <p>{problem.message}</p>
      <div className="acts">
        {onRetry && problem.retry !== "never" && <Button onClick={onRetry}>{shared.tryAgain}</Button>}
        {actions}
      </div>
      <details>
        <summary>{shared.showDetails}</summary>
        <pre>
          {[problem.kind, ...Object.entries(problem.facts).map(([key, value]) => `${key}: ${show(value)}`)].join("\n")}
        </pre>
      </details>
    </div>
  );
}

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const widths = ["82%", "94%", "64%", "88%", "71%", "90%", "58%", "79%"];

export interface SkeletonProps {
  readonly lines?: number;
  /** After 2 s: what is happening and how far. */
  readonly what?: string;
}

/** Nothing for 300 ms, then still bars; after 2 s the words. */
export function Skeleton({ lines = 3, what }: SkeletonProps) {
  const visible = useDelayed(300);
  const slow = useDelayed(2000);
  if (!visible) return <div className="sk-lines" aria-busy="true" />;
  return (
    <div className="sk-lines" aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
        <div key={index} className="sk" style={{ width: widths[index % widths.length] }} />
      ))}
      {slow && what && (
        <p className="f12 faint" role="status">
          {what}
        </p>
      )}
    </div>
  );
}

export interface BannerProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: IconName;
  readonly action?: ReactNode;
  /** A full-width strip under a header instead of a box. */
  readonly line?: boolean;
}

/** Names what works less well, why, and until when. */
export function Banner({ title, children, icon = "info", action, line }: BannerProps) {
  return (
    <div className={line ? "bnr line" : "bnr"} role="status">
      <Icon name={icon} />
      <span className="grow">
        <b className="m">{title}</b> <span className="dim">{children}</span>
      </span>
      {action}
    </div>
  );
}
