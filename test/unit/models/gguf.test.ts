import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { CredenceError } from "../../../core/contract/index.ts";
import { readGgufHead } from "../../../core/models/gguf.ts";
import { readModelFacts } from "../../../core/models/model-facts.ts";
import { tinyGguf } from "../../support/gguf-files.ts";
import { temporaryFolder } from "../../support/profile.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

const kindOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "fine",
    (error) => (error instanceof CredenceError ? error.kind : `untyped: ${error}`),
  );

describe("reading the head of a model file", () => {
  it("finds what the model is", async () => {
    const facts = await readModelFacts(file("tiny.gguf", tinyGguf()));
    expect(facts).toMatchObject({
      name: "Tiny",
      role: "chat",
      architecture: "llama",
      parameters: 128,
      quantization: "Q8_0",
      trainedContext: 4096,
      licence: "mit",
      vocabulary: 3,
      supportsTools: true,
      reasons: true,
      // 2 layers × 2 shared heads × (16 + 16) × 2 bytes
      cacheBytesPerToken: 256,
    });
  });

  it("tells embedders and rankers by their pooling", async () => {
    expect(
      (await readModelFacts(file("e.gguf", tinyGguf({ "llama.pooling_type": { type: "u32", value: 1 } })))).role,
    ).toBe("embed");
    expect(
      (await readModelFacts(file("r.gguf", tinyGguf({ "llama.pooling_type": { type: "u32", value: 4 } })))).role,
    ).toBe("rerank");
  });

  it("adds up a model in parts, and names the part that is missing", async () => {
    const part = tinyGguf({ "split.count": { type: "u32", value: 2 } });
    const first = file("big-00001-of-00002.gguf", part);
    expect(await kindOf(readModelFacts(first))).toBe("models.split-file");
    file("big-00002-of-00002.gguf", part);
    expect((await readModelFacts(first)).sizeBytes).toBe(2 * part.length);
  });

  it.each([
    ["a web page", "<!DOCTYPE html><html><body>Not found</body></html>", "a web page"],
    ["an error page without a doctype", "<head></head><html>no</html>", "a web page"],
    ["a pointer file", "version https://git-lfs.github.com/spec/v1\noid sha256:00", "a pointer to the real file"],
    ["a zip", "PK\u0003\u0004rest", "a zip archive"],
    ["JSON", '{"error":"gone"}', "a JSON text"],
    ["nothing", "", "an empty file"],
    ["other bytes", Buffer.from([1, 2, 3, 4, 5]), null],
  ])("says what it got instead of a model: %s", async (name, content, looksLike) => {
    const path = file(`${name} ünd mehr.gguf`, content);
    await expect(readGgufHead(path)).rejects.toMatchObject({ kind: "models.not-gguf", facts: { looksLike } });
  });

  it("knows a file that is missing, a folder, and one cut short", async () => {
    expect(await kindOf(readGgufHead(join(folder.path, "gone.gguf")))).toBe("models.file-missing");
    mkdirSync(join(folder.path, "folder.gguf"));
    expect(await kindOf(readGgufHead(join(folder.path, "folder.gguf")))).toBe("models.unreadable");
    const whole = tinyGguf();
    await expect(readGgufHead(file("cut.gguf", whole.subarray(0, whole.length - 64)))).rejects.toMatchObject({
      kind: "models.truncated",
      facts: { bytes: whole.length - 64 },
    });
  });

  it("refuses an adapter and a picture model with words", async () => {
    expect(
      await kindOf(
        readModelFacts(file("lora.gguf", tinyGguf({ "general.type": { type: "string", value: "adapter" } }))),
      ),
    ).toBe("models.wrong-role");
    expect(
      await kindOf(
        readModelFacts(file("clip.gguf", tinyGguf({ "general.architecture": { type: "string", value: "clip" } }))),
      ),
    ).toBe("models.wrong-role");
  });

  it("gives a typed error for a file cut anywhere", async () => {
    const whole = tinyGguf();
    // The last 24 bytes only pad the last tensor.
    for (let length = 0; length < whole.length - 24; length += 7) {
      expect(
        await kindOf(readGgufHead(file("cut-anywhere.gguf", whole.subarray(0, length)))),
        `cut at ${length}`,
      ).toMatch(/^models\.(not-gguf|damaged|truncated)$/);
    }
  });

  it("gives facts or a typed error for a file with any bytes changed, and soon", async () => {
    const whole = tinyGguf();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const changed = Buffer.from(whole);
          for (const [at, value] of changes) changed[at] = value;
          expect(await kindOf(readModelFacts(file("changed.gguf", changed)))).toMatch(/^(fine|models\.)/);
        },
      ),
      { numRuns: 400 },
    );
  });
});
