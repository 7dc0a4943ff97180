import { toast } from "../../components/toasts.ts";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { library as words } from "../../words/library.ts";

/** Adds files and folders and says in one line what came of it. */
export async function addPaths(paths: readonly string[], collectionId: string | null): Promise<void> {
  if (paths.length === 0) return;
  const added = await act("library.add", { paths: [...paths], collectionId });
  if (!added) return;
  const { value } = added;
  const left = value.skipped > 0 ? ` ${words.skipped(count(value.skipped))}` : "";
  toast({ text: (value.added === 0 ? words.nothingNew : words.added(count(value.added))) + left });
}

/** Lets the user choose files (or folders) in the system's dialog and adds them. */
export async function chooseAndAdd(choose: "files" | "folders", collectionId: string | null): Promise<void> {
  const chosen = await act("shell.openFiles", { kind: "documents", choose, multiple: true });
  if (chosen) await addPaths(chosen.value.paths, collectionId);
}

export async function chooseAndWatch(collectionId: string | null): Promise<void> {
  const chosen = await act("shell.openFiles", { choose: "folders", multiple: false });
  const path = chosen?.value.paths[0];
  if (path === undefined) return;
  const watched = await act("library.watch", { path, collectionId });
  if (watched) toast({ text: words.watching(watched.value.name) });
}
