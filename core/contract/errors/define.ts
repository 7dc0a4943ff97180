/**
 * One error kind: the words a user reads, and whether trying again can help.
 * `say` gets the facts of the error as named fields and answers with "what happened, what is safe, what to do".
 */
export interface ErrorEntry<Facts> {
  readonly say: (facts: Facts) => string;
  /** `now`: the same call may succeed at once; `later`: after a change outside; `never`: not without another input. */
  readonly retry: "now" | "later" | "never";
}

// biome-ignore lint/suspicious/noExplicitAny: facts differ per kind; the lookup type below recovers each exactly
type AnyEntry = ErrorEntry<any>;

/** Declares the error kinds of one area, keeping each kind's facts exactly typed. */
export function defineErrors<const Table extends Record<string, AnyEntry>>(table: Table): Table {
  return table;
}

export type FactsOf<Entry> = Entry extends ErrorEntry<infer Facts> ? Facts : never;
