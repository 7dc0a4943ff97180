import { toast } from "../../components/toasts.ts";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { feeds as words } from "../../words/feeds.ts";

/** Follows every feed of a list that another reader wrote. */
export async function importList(): Promise<void> {
  const chosen = await act("shell.openFiles", { kind: "subscriptions" });
  for (const path of chosen?.value.paths ?? []) {
    const result = await act("feeds.importOpml", { path });
    if (result) toast({ text: words.imported(count(result.value.added), count(result.value.known)) });
  }
}

export async function exportList(): Promise<void> {
  const list = await act("feeds.exportOpml", {});
  if (list) await act("shell.saveText", list.value);
}
