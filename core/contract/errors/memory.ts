import { defineErrors } from "./define.ts";

export const memoryErrors = defineErrors({
  "memory.not-editable": {
    say: (f: { kind: "document" | "feed" }) =>
      f.kind === "document"
        ? "A passage of a document cannot be edited. Delete it, or change the document and add it again."
        : "A feed entry cannot be edited. Delete it from memory instead.",
    retry: "never",
  },
});
