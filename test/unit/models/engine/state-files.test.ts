import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StateFiles } from "../../../../core/models/engine/state-files.ts";
import { temporaryFolder } from "../../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const files = (fingerprint = "weights/1", limit = 1e9) =>
  new StateFiles(join(folder.path, "states"), fingerprint, limit);
const names = (): string[] => readdirSync(join(folder.path, "states")).sort();
const statePath = (): string => join(folder.path, "states", names().find((name) => name.endsWith(".state"))!);
const save = (content: string) => async (path: string) => writeFileSync(path, content);

describe("saved states", () => {
  it("come back with their tokens, in another process too", async () => {
    expect(await files().write("conversation", [1, 70_000, 3], save("state"))).toBe(5);
    const found = await files().find("conversation");
    expect(found!.tokens).toEqual([1, 70_000, 3]);
    expect(await found!.verify()).toBe(true);
    expect(readFileSync(found!.path, "utf8")).toBe("state");
    expect(await files().find("another")).toBeNull();
  });

  it("of other weights or settings are forgotten", async () => {
    await files().write("conversation", [1], save("state"));
    expect(await files("weights/2").find("conversation")).toBeNull();
    expect(names()).toEqual([]);
  });

  it("that were damaged are noticed and forgotten", async () => {
    await files().write("conversation", [1], save("state"));
    writeFileSync(statePath(), "stale");
    const found = await files().find("conversation");
    expect(await found!.verify()).toBe(false);
    expect(await files().find("conversation")).toBeNull();
  });

  it("that were cut short or lost their description are forgotten", async () => {
    await files().write("a", [1], save("state"));
    writeFileSync(statePath(), "sta");
    expect(await files().find("a")).toBeNull();
    await files().write("b", [1], save("state"));
    writeFileSync(`${statePath()}.json`, "{broken");
    expect(await files().find("b")).toBeNull();
    expect(names()).toEqual([]);
  });

  it("that bring the process down are not tried a second time", async () => {
    const states = files();
    await states.write("conversation", [1], save("state"));
    const found = await states.find("conversation");
    const pending = states.load("conversation", found!, () => new Promise(() => {}));
    await expect(
      Promise.race([pending, new Promise((resolve) => setTimeout(() => resolve("the process died"), 50))]),
    ).resolves.toBe("the process died");
    expect(await files().find("conversation")).toBeNull();
    const past = new Date(Date.now() - 3_600_000);
    for (const name of names()) utimesSync(join(folder.path, "states", name), past, past);
    expect(await files().find("conversation")).toBeNull();
    expect(names()).toEqual([]);
  });

  it("that fail to load are removed", async () => {
    const states = files();
    await states.write("conversation", [1], save("state"));
    const failing = async (): Promise<void> => {
      throw new Error("no");
    };
    expect(await states.load("conversation", (await states.find("conversation"))!, failing)).toBe(false);
    expect(names()).toEqual([]);
  });

  it("keep within their limit, those longest unused going first", async () => {
    const states = files("weights/1", 25);
    for (const [i, key] of ["a", "b", "c"].entries()) {
      await states.write(key, [1], save("0123456789"));
      const found = await states.find(key);
      if (found) utimesSync(found.path, i, i);
    }
    expect(await states.find("a")).toBeNull();
    expect(await states.find("b")).not.toBeNull();
    expect(await states.find("c")).not.toBeNull();
    expect(await states.write("huge", [1], save("x".repeat(30)))).toBe(0);
    expect(await states.find("huge")).toBeNull();
  });

  it("leave nothing behind when saving fails", async () => {
    const failing = async (path: string): Promise<void> => {
      writeFileSync(path, "half");
      throw new Error("disk full");
    };
    await expect(files().write("conversation", [1], failing)).rejects.toThrow("disk full");
    expect(names()).toEqual([]);
    expect(existsSync(join(folder.path, "states"))).toBe(true);
  });
});
