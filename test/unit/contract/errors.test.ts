import { expect, test } from "vitest";
import { asCredenceError, CredenceError, errorFromData } from "../../../core/contract/index.ts";

test("an error crosses a process boundary as data and comes back with its kind, facts and words", () => {
  const error = new CredenceError("general.not-found", { what: "message", id: "msg_1" });
  const back = errorFromData(JSON.parse(JSON.stringify(error.toData())));
  expect(back.toData()).toEqual(error.toData());
  expect(back.message).toBe("There is no message with the id msg_1. It may have been deleted.");
});

test("whatever else is thrown becomes a sentence without a stack, with the cause kept", () => {
  const cause = new TypeError("x is undefined");
  const error = asCredenceError(cause);
  expect(error.kind).toBe("general.unexpected");
  expect(error.message).not.toContain("undefined");
  expect(error.cause).toBe(cause);
  expect(asCredenceError(new DOMException("stop", "AbortError")).kind).toBe("general.cancelled");
});

test("a kind that this version does not know is kept as a detail", () => {
  expect(errorFromData({ kind: "future.kind", facts: {}, message: "later" })).toMatchObject({
    kind: "general.unexpected",
    facts: { detail: "future.kind: later" },
  });
});
