/** What the palette finds and does. Screens add sources and commands of their own, for as long as the window lives. */
import type { IconName } from "../components/Icon.tsx";

export interface PaletteItem {
  /** Unique in the palette: "chat:ID". */
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** At the right: "chat, 13 turns". */
  readonly note?: string;
  /** The shortcut that does the same, shown at the right instead of the note. */
  readonly keys?: string;
  readonly run: () => void;
}

export interface PaletteSource {
  readonly id: string;
  /** A few best hits, best first; asked again with each change of the query. */
  readonly search: (query: string) => Promise<readonly PaletteItem[]>;
}

export interface PaletteCommand extends PaletteItem {
  /** Other words for it, found but not shown. */
  readonly words?: string;
}

const sources: PaletteSource[] = [];
const commands = new Map<string, () => readonly PaletteCommand[]>();

export function registerPaletteSource(source: PaletteSource): () => void {
  sources.push(source);
  return () => {
    sources.splice(sources.indexOf(source), 1);
  };
}

/** `list` is asked each time the palette opens, so that commands may come and go. */
export function registerCommands(id: string, list: () => readonly PaletteCommand[]): () => void {
  commands.set(id, list);
  return () => {
    commands.delete(id);
  };
}

export const paletteSources = (): readonly PaletteSource[] => [...sources];
export const paletteCommands = (): readonly PaletteCommand[] => [...commands.values()].flatMap((list) => list());

/** Each word of the query begins a word of the text; the order does not matter. */
export function fits(text: string, query: string): boolean {
  const hay = text.toLowerCase().split(/[\s,.:;()“”"'’-]+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => hay.some((each) => each.startsWith(word)));
}
