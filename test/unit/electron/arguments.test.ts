import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandArguments, hasDisplay, readArguments } from "../../../electron/arguments.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "credence ärgs-"));
  writeFileSync(join(folder, "a model.gguf"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("files are found relative to where the command was given, switches are left to Chromium", () => {
  const read = readArguments(["--no-sandbox", "a model.gguf", "missing.gguf", "--lang=de"], folder);
  expect(read).toEqual({
    dataDir: undefined,
    files: [join(folder, "a model.gguf")],
    word: "a model.gguf",
    command: null,
  });
});

test("the profile may be named in both spellings, relative too", () => {
  expect(readArguments(["--data-dir", "p"], folder).dataDir).toBe(join(folder, "p"));
  expect(readArguments(["--data-dir=p"], folder).dataDir).toBe(join(folder, "p"));
});

test("everything after --cli belongs to the command", () => {
  expect(readArguments(["--no-sandbox", "--cli", "ask", "--json", "a model.gguf"], folder).command).toEqual([
    "ask",
    "--json",
    "a model.gguf",
  ]);
});

test("a command keeps its own switches and loses Chromium's", () => {
  expect(commandArguments(["--no-sandbox", "ask", "--json", "hello"])).toEqual(["ask", "--json", "hello"]);
  expect(readArguments(["--data-dir", "p", "ask", "hello"], folder).word).toBe("ask");
});

test("a display counts only if something listens on it", () => {
  const none = () => false;
  const all = () => true;
  expect(hasDisplay("linux", {}, all)).toBe(false);
  expect(hasDisplay("linux", { DISPLAY: ":0" }, all)).toBe(true);
  expect(hasDisplay("linux", { DISPLAY: ":0.0" }, none)).toBe(false);
  expect(hasDisplay("linux", { DISPLAY: "far.example:10.0" }, none)).toBe(true);
  expect(
    hasDisplay(
      "linux",
      { WAYLAND_DISPLAY: "wayland-0", XDG_RUNTIME_DIR: "/run/user/1" },
      (path) => path === "/run/user/1/wayland-0",
    ),
  ).toBe(true);
  expect(hasDisplay("darwin", {}, none)).toBe(true);
});
