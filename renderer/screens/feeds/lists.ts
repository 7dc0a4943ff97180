import { toast } from "../../components/toasts.ts";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { feeds as words } from "../../words/feeds.ts";

/** Lets the user choose lists that another reader wrote, and follows every feed in them. */
export async function importList(): Promise<void> {
  const chosen = await act("shell.openFiles", { kind: "subscriptions" });
  await importLists(chosen?.value.paths ?? []);
}

/** Follows every feed of the lists (OPML) at these paths. */
export async function importLists(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const result = await act("feeds.importOpml", { path });
    if (result) toast({ text: words.imported(count(result.value.added), count(result.value.known)) });
  }
}

export async function exportList(): Promise<void> {
  const list = await act("feeds.exportOpml", {});
  if (list) await act("shell.saveText", list.value);
}
