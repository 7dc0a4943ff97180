import { expect, test } from "vitest";
import { checkImports, checkTexts } from "../../checks/forbidden.ts";
import { checkLayers } from "../../checks/layers.ts";
import { checkMigrations } from "../../checks/migrations.ts";
import { importsOf, type SourceFile, withoutComments } from "../../checks/source.ts";

const file = (path: string, text: string): SourceFile => ({ path, text });
const layersOf = (path: string, text: string) => checkLayers([file(path, text)]).map((problem) => problem.rule);
const importsRules = (path: string, text: string) => checkImports([file(path, text)]).map((problem) => problem.rule);

test("a lower module may not import a higher one, in whatever form it is written", () => {
  for (const text of [
    'import { createAgent } from "../agent/index.ts";',
    'import type { Agent } from "../agent/index.ts";',
    'import {\n  a,\n  b,\n} from "../agent/index.ts";',
    'export * from "../agent/index.ts";',
    'import "../agent/index.ts";',
    'const agent = await import("../agent/index.ts");',
  ]) {
    expect(layersOf("core/memory/recall.ts", text)).toEqual([
      "imports core/agent/index.ts, but memory stands below agent",
    ]);
  }
});

test("a higher module may import a lower one through its face", () => {
  expect(
    layersOf(
      "core/agent/loop.ts",
      'import { X } from "../memory/index.ts"; import type { Y } from "../models/types.ts";',
    ),
  ).toEqual([]);
});

test("modules on one layer do not import each other, except where the table says so", () => {
  expect(layersOf("core/parsing/a.ts", 'import { x } from "../models/index.ts";')).toEqual([
    "imports core/models/index.ts, but parsing stands beside models",
  ]);
  expect(layersOf("core/documents/a.ts", 'import type { PassageIndex } from "../memory/types.ts";')).toEqual([]);
});

test("only a module's face may be imported from outside, by the shell too", () => {
  const rule = "imports core/memory/index/reader.ts, which is inside core/memory";
  expect(layersOf("core/agent/a.ts", 'import { x } from "../memory/index/reader.ts";')).toEqual([rule]);
  expect(layersOf("electron/a.ts", 'import { x } from "../core/memory/index/reader.ts";')).toEqual([rule]);
  expect(layersOf("core/memory/b.ts", 'import { x } from "./index/reader.ts";')).toEqual([]);
});

test("the window imports the contract and nothing else of the core", () => {
  expect(layersOf("renderer/a.ts", 'import type { AppEvent } from "../core/contract/events/index.ts";')).toEqual([]);
  expect(layersOf("renderer/a.ts", 'import { newId } from "../core/platform/index.ts";')).toHaveLength(1);
  expect(layersOf("renderer/a.ts", 'import { x } from "../electron/paths.ts";')).toHaveLength(1);
});

test("a core module without a layer is named", () => {
  expect(layersOf("core/novel/a.ts", 'import { x } from "../storage/index.ts";')).toEqual([
    "the module core/novel has no layer",
  ]);
});

test("imports inside comments and strings do not count", () => {
  expect(
    importsOf(
      file(
        "core/a/b.ts",
        '// import { x } from "../c/index.ts";\n/* import "../d.ts"; */\nconst url = "https://x"; const y = 1;',
      ),
    ),
  ).toEqual([]);
  expect(withoutComments('const a = "// kept"; // gone')).toBe('const a = "// kept";        ');
});

test("electron, ipcMain, sockets and Node in the window are refused where they do not belong", () => {
  expect(importsRules("core/models/a.ts", 'import { app } from "electron";')).toEqual([
    "imports electron outside electron/",
  ]);
  expect(importsRules("electron/window.ts", 'import { ipcMain } from "electron";')).toEqual(["uses ipcMain"]);
  expect(importsRules("electron/ipc.ts", 'import { ipcMain } from "electron";')).toEqual([]);
  expect(importsRules("core/feeds/a.ts", 'import { request } from "node:https";')).toHaveLength(1);
  expect(importsRules("core/feeds/a.ts", 'const page = await fetch("https://x.example");')).toEqual(["calls fetch"]);
  expect(
    importsRules("core/feeds/a.ts", "const page = await this.egress.fetch(request);\nclass A { fetch(a: string) {} }"),
  ).toEqual([]);
  expect(
    importsRules("core/feeds/a.ts", "const { fetch, clock } = this.deps;\nconst page = await fetch(request);"),
  ).toEqual([]);
  expect(importsRules("core/egress/a.ts", 'import { fetch } from "undici";')).toEqual([]);
  expect(importsRules("renderer/a.ts", 'import { join } from "node:path";')).toHaveLength(1);
});

test("machine paths, package hosts, comments that promise work and skipped tests are refused", () => {
  const rules = (path: string, text: string) =>
    checkTexts([file(path, text)], "/build/here").map((problem) => problem.rule);
  expect(rules("README.md", "see /build/here/core")).toEqual(["holds a path of the machine it was written on"]);
  expect(rules("a.sh", `curl https://${"registry.npm"}${"js.org"}/x`)).toHaveLength(1);
  expect(rules("core/a.ts", `// ${"TO"}DO later`)).toEqual(["leaves work for later in a comment"]);
  expect(rules("test/unit/a.test.ts", `test.${"skip"}("x", () => {});`)).toEqual([`leaves tests out (test.${"skip"})`]);
  expect(rules("test/unit/a.test.ts", 'test("a todo list is read", () => {});')).toEqual([]);
});

test("a migration needs a test and its line in the table", () => {
  const index = file("core/storage/migrations/index.ts", 'import { a } from "./0001-a.ts";');
  const problems = checkMigrations([
    index,
    file("core/storage/migrations/0001-a.ts", ""),
    file("core/storage/migrations/0002-b.ts", ""),
    file("test/unit/storage/migrations/0001.test.ts", ""),
  ]);
  expect(problems.map((problem) => [problem.file, problem.rule])).toEqual([
    ["core/storage/migrations/0002-b.ts", "is a migration without a test"],
    ["core/storage/migrations/0002-b.ts", "is not registered"],
  ]);
});
