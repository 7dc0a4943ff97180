import { useEffect } from "react";
import { registerDrop } from "../../drop/registry.ts";
import { parseRoute } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";
import { addPaths } from "./addPaths.ts";

/** What other screens take: models and lists of feeds. */
const forOthers = /\.(?:gguf|opml)$/i;

/** Files and folders dropped anywhere go to the library, into the collection that is open. */
export function useLibraryDrop(): void {
  useEffect(
    () =>
      registerDrop({
        id: "library",
        hint: words.dropHint,
        takes: (path) => !forOthers.test(path),
        run: (paths) => {
          const { screen, path } = parseRoute(window.location.hash);
          void addPaths(paths, screen === "library" && path[0] === "collection" ? (path[1] ?? null) : null);
        },
      }),
    [],
  );
}
