import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { App } from "../../../core/app.ts";
import type { CommandContext } from "../../../core/cli/command.ts";
import { modelCommands } from "../../../core/cli/commands/models.ts";
import { temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const starter = {
  id: "m1",
  name: "Starter",
  fileName: "starter.gguf",
  path: "/w/starter.gguf",
  role: "chat",
  starter: true,
  active: true,
  quantization: "Q4_1",
  sizeBytes: 98e6,
  window: 8192,
  fits: "yes",
  problem: null,
};
const own = { ...starter, id: "m2", name: "Own", fileName: "own.gguf", starter: false, active: false, fits: "no" };

function run(
  name: string,
  args: readonly string[],
  more: { options?: Record<string, boolean>; json?: boolean; lines?: boolean; modelDirs?: string[] } = {},
) {
  const calls: [string, unknown][] = [];
  const printed: string[] = [];
  const remarks: string[] = [];
  const app = {
    async call(method: string, params: unknown) {
      calls.push([method, params]);
      return method === "models.list"
        ? { models: [starter, own], machine: {} }
        : method === "models.remove"
          ? null
          : own;
    },
  } as unknown as App;
  const context = {
    args,
    options: more.options ?? {},
    json: more.json ?? false,
    lines: more.lines ?? false,
    modelDirs: more.modelDirs ?? [],
    signal: new AbortController().signal,
    app: async () => app,
    async print(text: string) {
      printed.push(text);
    },
    remark: (text: string) => remarks.push(text),
  } as unknown as CommandContext;
  const command = modelCommands.find((one) => one.name === name)!;
  return { calls, printed, remarks, code: command.run(context) };
}

describe("credence models", () => {
  it("lists for people and as JSON", async () => {
    const words = run("models list", []);
    expect(await words.code).toBe(0);
    expect(words.printed[0]).toContain("Starter (answers, Q4_1, 98 MB, 8,192 tokens)");
    expect(words.printed[1]).toContain("does not fit this machine");
    const lines = run("models list", [], { lines: true });
    await lines.code;
    expect(lines.printed.map((line) => JSON.parse(line).id)).toEqual(["m1", "m2"]);
  });

  it("adds a file by its whole path, in use only when asked", async () => {
    const added = run("models import", ["some file.gguf"], { options: { use: true } });
    expect(await added.code).toBe(0);
    expect(added.calls).toEqual([["models.import", { path: resolve("some file.gguf"), copy: false, use: true }]]);
    await expect(run("models import", []).code).rejects.toMatchObject({ kind: "general.invalid-request" });
  });

  it("finds a model by its id, name or file name", async () => {
    for (const wanted of ["m2", "Own", "own.gguf"]) {
      const used = run("models use", [wanted]);
      await used.code;
      expect(used.calls.at(-1)).toEqual(["models.use", { id: "m2" }]);
    }
    await expect(run("models remove", ["nothing"]).code).rejects.toMatchObject({ kind: "general.not-found" });
  });

  it("runs the fetcher beside the weights and says how that went", async () => {
    const weights = join(folder.path, "weights");
    mkdirSync(weights);
    writeFileSync(
      join(folder.path, "fetch.ts"),
      "process.stderr.write('Chat: fetching 10 %\\n'); process.exitCode = Number(process.env.FAIL ?? 0);\n",
    );
    const good = run("models fetch", [], { json: true, modelDirs: [weights] });
    expect(await good.code).toBe(0);
    expect(JSON.parse(good.printed[0]!)).toMatchObject({ complete: true, models: [{ id: "m1" }] });
    expect(good.remarks).toContain("Chat: fetching 10 %");
    process.env["FAIL"] = "1";
    try {
      expect(await run("models fetch", [], { modelDirs: [weights] }).code).toBe(3);
    } finally {
      delete process.env["FAIL"];
    }
  });

  it("has nothing to fetch where the models came with the release", async () => {
    const release = run("models fetch", [], { modelDirs: [join(folder.path, "models")] });
    expect(await release.code).toBe(0);
  });
});
