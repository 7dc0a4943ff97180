import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentId, EventBus, fileLog, ManualClock, newId } from "../../../core/platform/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

test("new ids sort by the time they were made and do not repeat", () => {
  const ids = Array.from({ length: 500 }, (_, i) => newId("msg", 1_700_000_000_000 + i));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 2000 }, () => newId("msg", 5))).size).toBe(2000);
});

test("a content id depends on each part and on where the parts are cut", () => {
  expect(contentId("p", "ab", "c")).toBe(contentId("p", "ab", "c"));
  expect(contentId("p", "ab", "c")).not.toBe(contentId("p", "a", "bc"));
});

test("a manual clock runs due timers in order of their time, and cancelled ones never", async () => {
  const clock = new ManualClock(0);
  const ran: string[] = [];
  clock.after(20, () => ran.push("b"));
  clock.after(10, () => {
    ran.push("a");
    clock.after(5, () => ran.push("a2"));
  });
  clock.after(15, () => ran.push("never"))();
  await clock.advance(30);
  expect([ran, clock.now()]).toEqual([["a", "a2", "b"], 30]);
});

test("a listener that throws does not keep the others from hearing", () => {
  const problems: unknown[] = [];
  const bus = new EventBus<number>((thrown) => problems.push(thrown));
  const heard: number[] = [];
  bus.on(() => {
    throw new Error("deaf");
  });
  const off = bus.on((n) => heard.push(n));
  bus.emit(1);
  off();
  bus.emit(2);
  expect([heard, problems.length]).toEqual([[1], 2]);
});

test("the log is one JSON line an entry and never throws, not even without a folder", () => {
  const folder = temporaryFolder();
  fileLog(folder.path, () => 0).warn("thing", { n: 1 });
  expect(JSON.parse(readFileSync(join(folder.path, "logs", "credence.log"), "utf8"))).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    level: "warn",
    event: "thing",
    n: 1,
  });
  const plainFile = join(folder.path, "logs", "credence.log");
  fileLog(plainFile, () => 0).error("lost");
  folder.remove();
});
