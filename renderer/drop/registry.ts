/** Who takes files that are dropped anywhere on the window. Later registrations are asked first. */
import { toast } from "../components/toasts.ts";
import { frame } from "../words/frame.ts";

export interface DropTaker {
  readonly id: string;
  /** One short sentence for the drop sheet: "A GGUF becomes a model." */
  readonly hint: string;
  /** Which of the paths it takes. What nobody takes is named to the user. */
  readonly takes: (path: string) => boolean;
  /** Gets the paths it takes, all of one drop at once. Shows its own progress and problems. */
  readonly run: (paths: readonly string[], modifiers: DropModifiers) => void;
}

export interface DropModifiers {
  /** Alt or Option was held: add without moving beliefs. */
  readonly alt: boolean;
}

const takers: DropTaker[] = [];
const watchers = new Set<() => void>();
let shown: readonly DropTaker[] = [];

/** Registers a taker until the returned function is called. */
export function registerDrop(taker: DropTaker): () => void {
  takers.push(taker);
  changed();
  return () => {
    takers.splice(takers.indexOf(taker), 1);
    changed();
  };
}

function changed(): void {
  shown = [...takers];
  for (const watcher of [...watchers]) watcher();
}

export const dropTakers = (): readonly DropTaker[] => shown;

export function watchDrops(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Deals the paths out; says so when some are for nobody. */
export function dropPaths(paths: readonly string[], modifiers: DropModifiers = { alt: false }): void {
  let left = [...paths];
  for (const taker of [...takers].reverse()) {
    const mine = left.filter(taker.takes);
    if (mine.length === 0) continue;
    left = left.filter((path) => !mine.includes(path));
    taker.run(mine, modifiers);
  }
  if (left.length > 0 || paths.length === 0) toast({ text: frame.dropNothing, tone: "problem" });
}
