import { useEffect } from "react";
import { toast } from "../../components/toasts.ts";
import { pathsOf } from "../../hooks/bridge.ts";
import { act } from "../../hooks/useAction.ts";
import { library as words } from "../../words/library.ts";
import { addPaths } from "./addPaths.ts";

/** Pasting outside a field adds what was copied: files by their paths, text as a document of its own. */
export function usePaste(collectionId: string | null): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, textarea, [contenteditable]") || !event.clipboardData) return;
      const paths = pathsOf(event.clipboardData.files);
      const text = event.clipboardData.getData("text/plain").trim();
      if (paths.length === 0 && text === "") return;
      event.preventDefault();
      if (paths.length > 0) void addPaths(paths, collectionId);
      else void addText(text, collectionId);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [collectionId]);
}

async function addText(text: string, collectionId: string | null): Promise<void> {
  const line = text.split("\n", 1)[0]!.replace(/\s+/g, " ").trim();
  const added = await act("library.addText", { title: line.slice(0, 80) || words.pasted, text, collectionId });
  if (added)
    toast({
      text: words.pastedText(added.value.name),
      undo: () => void act("library.remove", { ids: [added.value.id] }),
    });
}
