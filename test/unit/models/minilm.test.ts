import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readModelFacts } from "../../../core/models/model-facts.ts";
import { convertMiniLm, floatToHalf, halfToFloat, quantizeQ8 } from "../../../models/minilm.ts";
import { temporaryFolder } from "../../support/profile.ts";
import { tinyMiniLm } from "../../support/tiny-minilm.ts";

const folder = temporaryFolder();
afterAll(folder.remove);
const options = { name: "tiny", licence: "Apache-2.0", maxTokens: 8 };

describe("half-precision numbers", () => {
  it("come back unchanged from every one of the 65,536 patterns", () => {
    for (let half = 0; half < 65_536; half++) {
      const value = halfToFloat(half);
      if (!Number.isNaN(value)) expect(floatToHalf(value)).toBe(half);
    }
  });

  it("are the nearest to any number, ties to even", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, min: -65_000, max: 65_000 }), (value) => {
        const half = floatToHalf(value);
        const error = Math.abs(halfToFloat(half) - value);
        for (const other of [half - 1, half + 1]) {
          if ((other & 0x7fff) >= 0x7c00 || (other & 0x8000) !== (half & 0x8000)) continue;
          const theirs = Math.abs(halfToFloat(other & 0xffff) - value);
          expect(error).toBeLessThanOrEqual(theirs);
          if (error === theirs) expect(half % 2).toBe(0);
        }
      }),
    );
  });
});

describe("q8_0 blocks", () => {
  it("come back within half a step of their scale", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, min: -8, max: 8 }), { minLength: 32, maxLength: 32 }), (values) => {
        const block = Buffer.from(quantizeQ8(Float32Array.from(values)));
        expect(block.length).toBe(34);
        const scale = halfToFloat(block.readUInt16LE(0));
        const largest = Math.max(...values.map(Math.abs));
        // Half a step of rounding, and what rounding the scale itself to half precision moves the largest value.
        const allowed = Math.max(scale, largest / 127) * 0.5 + largest * 2 ** -10 + 2 ** -17;
        values.forEach((value, i) => {
          expect(Math.abs(block.readInt8(2 + i) * scale - value)).toBeLessThanOrEqual(allowed);
        });
      }),
    );
  });

  it("take whole blocks only", () => {
    expect(() => quantizeQ8(new Float32Array(33))).toThrow("whole blocks");
  });
});

describe("converting MiniLM", () => {
  it("gives the same bytes each time, and a file that says what it is", async () => {
    const gguf = convertMiniLm(tinyMiniLm(), options);
    expect(convertMiniLm(tinyMiniLm(), options).equals(gguf)).toBe(true);
    const path = join(folder.path, "tiny.gguf");
    writeFileSync(path, gguf);
    expect(await readModelFacts(path)).toMatchObject({
      name: "tiny",
      role: "embed",
      architecture: "bert",
      trainedContext: 8,
      quantization: "Q8_0",
      licence: "apache-2.0",
      embeddingLength: 32,
      layers: 1,
      vocabulary: 8,
    });
  });

  it("refuses a model it was not made for", () => {
    const source = tinyMiniLm();
    const config = { ...JSON.parse(Buffer.from(source.config).toString()), hidden_act: "relu" };
    expect(() => convertMiniLm({ ...source, config: Buffer.from(JSON.stringify(config)) }, options)).toThrow(
      "hidden_act",
    );
  });
});
