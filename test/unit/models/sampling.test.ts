import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveSampling, samplingDefaults } from "../../../core/models/sampling.ts";

const model = (name: string, billions: number) => ({
  name,
  architecture: "llama",
  parameters: billions * 1e9,
  reasons: false,
});

describe("sampling", () => {
  it("keeps small models from looping and leaves large ones alone", () => {
    expect(samplingDefaults(model("Any", 0.2))).toMatchObject({ repeatPenalty: 1.1, phrasePenalty: 0.8 });
    expect(samplingDefaults(model("Any", 8))).toMatchObject({ repeatPenalty: 1, phrasePenalty: 0 });
  });

  it("takes what a family's authors recommend", () => {
    expect(samplingDefaults(model("SmolLM2 135M Instruct", 0.135)).temperature).toBe(0.2);
    expect(samplingDefaults(model("Qwen3 8B", 8))).toMatchObject({ temperature: 0.6, topK: 20 });
  });

  it("keeps any request within what means something", () => {
    const wild = fc.option(fc.double(), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ temperature: wild, topP: wild, topK: wild, minP: wild, repeatPenalty: wild, seed: wild }),
        (wanted) => {
          const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
          const resolved = resolveSampling(samplingDefaults(model("Any", 1)), given);
          expect(resolved.temperature).toBeGreaterThanOrEqual(0);
          expect(resolved.temperature).toBeLessThanOrEqual(2);
          expect(resolved.topP).toBeGreaterThan(0);
          expect(resolved.topP).toBeLessThanOrEqual(1);
          expect(Number.isInteger(resolved.topK)).toBe(true);
          expect(resolved.repeatPenalty).toBeGreaterThanOrEqual(1);
          if (resolved.seed !== null) expect(Number.isSafeInteger(resolved.seed)).toBe(true);
        },
      ),
    );
  });
});
