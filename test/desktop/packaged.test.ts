import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listPackage } from "@electron/asar";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { expect, inject, test } from "vitest";

const { executable, resources } = inject("desktop");
/** How the wire in the binary spells an enabled fuse: the character "1". */
const enabled = "1".charCodeAt(0);

test("the packaged binary has its fuses set", async () => {
  const wire = await getCurrentFuseWire(executable);
  const on = (fuse: FuseV1Options) => Number(wire[fuse]) === enabled;
  expect(on(FuseV1Options.RunAsNode)).toBe(false);
  expect(on(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(false);
  expect(on(FuseV1Options.EnableCookieEncryption)).toBe(true);
  expect(on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(true);
  expect(on(FuseV1Options.OnlyLoadAppFromAsar)).toBe(true);
  expect(on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot)).toBe(false);
  expect(on(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(false);
});

test("releases differ from the test build in one fuse only: inspection is off", () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "electron-builder.yml"), "utf8");
  const fuses = /electronFuses:\n((?: {2}.*\n)+)/.exec(text)![1]!;
  expect(
    Object.fromEntries([...fuses.matchAll(/(\w+): (true|false)/g)].map((match) => [match[1], match[2] === "true"])),
  ).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  });
});

test("the archive holds the built program and no sources, tests or maps of ours", () => {
  const names = listPackage(join(resources, "app.asar"), { isPack: false }).map((name) => name.replaceAll("\\", "/"));
  for (const needed of [
    "/dist/main.js",
    "/dist/preload.cjs",
    "/dist/engine.js",
    "/dist/parser.js",
    "/dist/credence.js",
    "/dist/renderer/index.html",
    "/package.json",
  ]) {
    expect(names).toContain(needed);
  }
  expect(names.filter((name) => /^\/(core|electron|renderer|test|models|\.)/.test(name))).toEqual([]);
  expect(names.filter((name) => name.endsWith(".map"))).toEqual([]);
});

test("only this system's native parts are inside, and they lie outside the archive", () => {
  const unpacked = join(resources, "app.asar.unpacked", "node_modules");
  expect(
    readdirSync(join(unpacked, "@node-llama-cpp")).filter((name) => !name.startsWith(`linux-${process.arch}`)),
  ).toEqual([]);
  expect(readdirSync(unpacked).filter((name) => name.startsWith("sqlite-vec-"))).toEqual([
    `sqlite-vec-linux-${process.arch}`,
  ]);
  expect(readdirSync(join(unpacked, "better-sqlite3", "prebuilds"))).toEqual([`linux-${process.arch}.node`]);
  expect(existsSync(join(resources, "default_app.asar"))).toBe(false);
});

test("the starter models travel inside, whole", () => {
  const models = readdirSync(join(resources, "models")).filter((name) => name.endsWith(".gguf"));
  expect(models).toHaveLength(2);
  for (const model of models) expect(statSync(join(resources, "models", model)).size).toBeGreaterThan(20_000_000);
});
