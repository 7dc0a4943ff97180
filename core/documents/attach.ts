import type { Library } from "./library.ts";

/** Keeps a message that is larger than the model's whole window as a document, so that it can be searched in part. */
export function attachPort(library: Library): {
  attach(request: { readonly text: string }): Promise<{ documentId: string; title: string }>;
} {
  return {
    async attach({ text }) {
      const document = library.addText(titleOf(text), text, null);
      // The turn that follows searches it: its words must be there.
      await library.settled(document.id);
      return { documentId: document.id, title: document.name };
    },
  };
}

/** The first words, as a name. */
function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0]!.replace(/\s+/g, " ").trim();
  const words = line.length <= 60 ? line : `${line.slice(0, 59).replace(/\s\S*$/, "")}…`;
  return words === "" ? "Pasted text" : `Pasted: ${words}`;
}
