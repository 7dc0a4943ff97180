import { useEffect } from "react";
import { importLists } from "../screens/feeds/lists.ts";
import { feeds } from "../words/feeds.ts";
import { registerDrop } from "./registry.ts";

/** A list of feeds (OPML) that is dropped anywhere is followed. */
export function useFeedListDrop(): void {
  useEffect(
    () =>
      registerDrop({
        id: "feeds",
        hint: feeds.dropHint,
        takes: (path) => /\.opml$/i.test(path),
        run: (paths) => {
          void importLists(paths);
        },
      }),
    [],
  );
}
