import { defineErrors } from "./define.ts";

/** Errors of the ingest queue. */
export const ingestErrors = defineErrors({
  "ingest.full": {
    say: (f: { capacity: number }) =>
      `${f.capacity} items wait already. Nothing is lost: this one is offered again when there is room.`,
    retry: "later",
  },
  "ingest.not-ended": {
    say: (f: { title: string }) => `"${f.title}" is still in the queue. Wait until it has ended, or cancel it first.`,
    retry: "later",
  },
});
