import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { placeWindow, readWindowState, writeWindowState } from "../../../electron/window-state.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credence-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const screen = { x: 0, y: 0, width: 1920, height: 1040 };

test("the window opens where it stood", () => {
  expect(placeWindow({ x: 100, y: 50, width: 1300, height: 900 }, [screen])).toEqual({
    x: 100,
    y: 50,
    width: 1300,
    height: 900,
  });
});

test("a window whose screen is gone comes back in the middle, with its size", () => {
  expect(placeWindow({ x: 4000, y: 50, width: 1300, height: 900 }, [screen])).toEqual({ width: 1300, height: 900 });
  expect(placeWindow({ x: 100, y: -500, width: 1300, height: 900 }, [screen])).toEqual({ width: 1300, height: 900 });
});

test("stored bounds below the smallest size grow to it", () => {
  expect(placeWindow({ x: 10, y: 10, width: 1, height: 1 }, [screen])).toEqual({
    x: 10,
    y: 10,
    width: 960,
    height: 640,
  });
});

test("the state survives a round trip, and damage counts as none", () => {
  const file = join(folder, "window", "state.json");
  const state = { bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true, theme: "dark" as const };
  writeWindowState(file, state);
  expect(readWindowState(file)).toEqual(state);
  for (const damage of ["", "{", "[]", '{"bounds":{"x":"a"}}', '{"theme":"pink"}']) {
    writeFileSync(file, damage);
    expect(readWindowState(file)).toEqual({ bounds: null, maximized: false, theme: "system" });
  }
});

test("a folder that cannot be written costs only the state", () => {
  writeFileSync(join(folder, "window"), "a file where the folder should be");
  expect(() =>
    writeWindowState(join(folder, "window", "state.json"), { bounds: null, maximized: false, theme: "light" }),
  ).not.toThrow();
});
