import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readArguments } from "../../../electron/arguments.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "credence ärgs-"));
  writeFileSync(join(folder, "a model.gguf"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("files are found relative to where the command was given, switches are left to Chromium", () => {
  const read = readArguments(["--no-sandbox", "a model.gguf", "missing.gguf", "--lang=de"], folder);
  expect(read).toEqual({ dataDir: undefined, files: [join(folder, "a model.gguf")], command: null });
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
