/**
 * Typed errors: a kind, its facts and its cause. One table maps every kind to words and to whether a retry can help,
 * so a new kind does not compile until someone has decided both. Errors cross process boundaries as data.
 */
import { agentErrors } from "./agent.ts";
import { beliefsErrors } from "./beliefs.ts";
import type { FactsOf } from "./define.ts";
import { documentsErrors } from "./documents.ts";
import { egressErrors } from "./egress.ts";
import { feedsErrors } from "./feeds.ts";
import { generalErrors } from "./general.ts";
import { ingestErrors } from "./ingest.ts";
import { memoryErrors } from "./memory.ts";
import { modelErrors } from "./models.ts";
import { shellErrors } from "./shell.ts";
import { storageErrors } from "./storage.ts";
import { toolsErrors } from "./tools.ts";

const table = {
  ...generalErrors,
  ...modelErrors,
  ...storageErrors,
  ...agentErrors,
  ...memoryErrors,
  ...beliefsErrors,
  ...documentsErrors,
  ...feedsErrors,
  ...egressErrors,
  ...toolsErrors,
  ...ingestErrors,
  ...shellErrors,
};

export type ErrorKind = keyof typeof table;
export type ErrorFacts<Kind extends ErrorKind> = FactsOf<(typeof table)[Kind]>;

/** An error as it crosses a process boundary or is printed by the command line. */
export interface ErrorData {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retry: "now" | "later" | "never";
}

/** The one error class of Credence. `message` is always a sentence for the user; details live in `facts` and `cause`. */
export class CredenceError<Kind extends ErrorKind = ErrorKind> extends Error {
  readonly kind: Kind;
  readonly facts: ErrorFacts<Kind>;
  readonly retry: "now" | "later" | "never";

  constructor(kind: Kind, facts: ErrorFacts<Kind>, options?: { cause?: unknown }) {
    const entry = table[kind] as { say: (facts: ErrorFacts<Kind>) => string; retry: "now" | "later" | "never" };
    super(entry.say(facts), options);
    this.name = "CredenceError";
    this.kind = kind;
    this.facts = facts;
    this.retry = entry.retry;
  }

  toData(): ErrorData {
    return { kind: this.kind, message: this.message, facts: { ...(this.facts as object) }, retry: this.retry };
  }
}

/** Whether `value` is a `CredenceError`, optionally of one kind. */
export function isCredenceError<Kind extends ErrorKind>(value: unknown, kind?: Kind): value is CredenceError<Kind> {
  return value instanceof CredenceError && (kind === undefined || value.kind === kind);
}

/** Turns anything thrown into a `CredenceError`; what is not one of ours becomes `general.unexpected` with its cause kept. */
export function asCredenceError(thrown: unknown): CredenceError {
  if (thrown instanceof CredenceError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new CredenceError("general.cancelled", {}, { cause: thrown });
  }
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new CredenceError("general.unexpected", { detail }, { cause: thrown });
}

/** Rebuilds an error from data that crossed a boundary; an unknown kind (a newer sender) becomes `general.unexpected`. */
export function errorFromData(data: {
  kind: string;
  facts: Readonly<Record<string, unknown>>;
  message?: string;
}): CredenceError {
  if (data.kind in table) {
    const kind = data.kind as ErrorKind;
    return new CredenceError(kind, data.facts as ErrorFacts<typeof kind>);
  }
  return new CredenceError("general.unexpected", { detail: `${data.kind}: ${data.message ?? ""}` });
}
