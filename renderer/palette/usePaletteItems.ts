import { useEffect, useMemo, useState } from "react";
import { navigate } from "../hooks/useRoute.ts";
import { screens } from "../screens/index.ts";
import { palette as words } from "../words/palette.ts";
import { fits, type PaletteItem, paletteCommands, paletteSources } from "./registry.ts";

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

const pause = 60;

/** Groups for what is typed: things first, then what can be done, then screens. */
export function usePaletteItems(text: string): readonly PaletteGroup[] {
  const commandsOnly = text.startsWith(">");
  const query = (commandsOnly ? text.slice(1) : text).trim();
  const [found, setFound] = useState<readonly PaletteItem[]>([]);

  useEffect(() => {
    if (commandsOnly) {
      setFound([]);
      return;
    }
    let current = true;
    const timer = setTimeout(async () => {
      const lists = await Promise.all(
        paletteSources().map((source) => source.search(query).catch((): readonly PaletteItem[] => [])),
      );
      if (current) setFound(interleave(lists).slice(0, 8));
    }, pause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query, commandsOnly]);

  return useMemo(() => {
    const commands = paletteCommands().filter((each) => fits(`${each.label} ${each.words ?? ""}`, query));
    const asked: PaletteItem[] =
      query === "" || commandsOnly
        ? []
        : [
            {
              id: "do:ask",
              icon: "plus",
              label: words.newChatAbout(query),
              keys: "mod+n",
              run: () => navigate({ screen: "chat", path: ["new"], query: { ask: query } }),
            },
            ...(screens.some((screen) => screen.id === "library")
              ? [
                  {
                    id: "do:documents",
                    icon: "search" as const,
                    label: words.searchDocuments(query),
                    keys: "mod+shift+f",
                    run: () => navigate({ screen: "library", path: ["search"], query: { q: query } }),
                  },
                ]
              : []),
          ];
    const places: PaletteItem[] = screens
      .filter((screen) => fits(screen.label, query))
      .map((screen) => ({
        id: `go:${screen.id}`,
        icon: screen.icon,
        label: screen.label,
        keys: screen.keys,
        run: () => navigate({ screen: screen.id }),
      }));
    return [
      { title: query === "" ? words.recent : words.found, items: commandsOnly ? [] : found },
      { title: words.does, items: [...asked, ...commands.slice(0, commandsOnly ? 50 : 6)] },
      { title: words.goTo, items: places },
    ].filter((group) => group.items.length > 0);
  }, [query, commandsOnly, found]);
}

/** The best of each source first, then the second of each. */
function interleave(lists: readonly (readonly PaletteItem[])[]): PaletteItem[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}
