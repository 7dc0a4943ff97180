/**
 * A helper process as the core sees it. Electron makes one with `utilityProcess`, plain Node with `child_process`;
 * messages are structured-cloneable values, delivered in order.
 */
export interface ChildPort {
  readonly pid: number | undefined;
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the process has ended for whatever reason. `signal` is null where the platform does not tell. */
  onExit(listener: (code: number | null, signal: string | null) => void): void;
  /** Ends the process at once (SIGKILL). */
  kill(): void;
}

/** The processes that the core may start. */
export type ChildKind = "engine" | "parser";

export interface ChildHost {
  spawn(kind: ChildKind, options?: { maxOldSpaceMb?: number }): ChildPort;
}

/** The child's side of the same channel. */
export interface ParentPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}
