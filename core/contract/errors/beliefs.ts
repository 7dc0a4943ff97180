import { defineErrors } from "./define.ts";

export const beliefsErrors = defineErrors({
  "beliefs.already-undone": {
    say: (_: { revisionId: string }) => "This step was taken back before. Nothing was changed.",
    retry: "never",
  },
  "beliefs.not-a-step": {
    say: (_: { revisionId: string }) => "This row of the log moved nothing, so there is nothing to take back.",
    retry: "never",
  },
  "beliefs.snapshot-refused": {
    say: (f: { characters: number; least: number }) =>
      `The new snapshot has ${f.characters} characters and needs at least ${f.least}. The one before stays in use.`,
    retry: "never",
  },
  "beliefs.empty-statement": {
    say: (_: Record<string, never>) => "A statement needs at least three words. The old one stays.",
    retry: "never",
  },
});
