import { defineErrors } from "./define.ts";

/** Errors that belong to no single area. */
export const generalErrors = defineErrors({
  "general.unexpected": {
    say: (_: { detail: string }) =>
      "Something went wrong inside Credence. Your data is safe; try again, and if it repeats, export the log from Settings.",
    retry: "now",
  },
  "general.invalid-request": {
    say: (f: { method: string; problem: string }) => `The request ${f.method} is not valid: ${f.problem}.`,
    retry: "never",
  },
  "general.unknown-method": {
    say: (f: { method: string }) => `There is no method named ${f.method}.`,
    retry: "never",
  },
  "general.not-found": {
    say: (f: { what: string; id: string }) => `There is no ${f.what} with the id ${f.id}. It may have been deleted.`,
    retry: "never",
  },
  "general.cancelled": {
    say: (_: Record<string, never>) => "Stopped.",
    retry: "now",
  },
});
