import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  estimateMemory,
  fitModel,
  type MemoryBudget,
  reservedBytes,
  suggestedBillions,
} from "../../../core/models/memory-fit.ts";
import type { ModelFacts } from "../../../core/models/model-facts.ts";

const eightBillion: ModelFacts = {
  name: "Eight",
  role: "chat",
  architecture: "llama",
  parameters: 8e9,
  quantization: "Q4_K_M",
  trainedContext: 131_072,
  licence: null,
  sizeBytes: 4.9e9,
  layers: 32,
  embeddingLength: 4096,
  feedForwardLength: 14_336,
  vocabulary: 128_256,
  cacheBytesPerToken: 131_072,
  supportsTools: true,
  reasons: false,
};

const memory = (freeGb: number, totalGb = 16): MemoryBudget => ({
  freeBytes: freeGb * 1e9,
  totalBytes: totalGb * 1e9,
  gpuFreeBytes: null,
});

describe("what memory holds", () => {
  it("gives the whole trained window where there is room", () => {
    expect(fitModel(eightBillion, memory(60, 64), null)).toMatchObject({ window: 131_072, fits: "yes" });
  });

  it("gives a smaller window where there is less", () => {
    const { window, fits } = fitModel(eightBillion, memory(14), null);
    expect(window).toBeGreaterThan(8192);
    expect(window).toBeLessThan(131_072);
    expect(window % 256).toBe(0);
    expect(fits).not.toBe("no");
  });

  it("says no where not even the smallest window fits", () => {
    expect(fitModel(eightBillion, memory(4), null).fits).toBe("no");
  });

  it("keeps to the user's limit and to the trained length", () => {
    expect(fitModel(eightBillion, memory(60, 64), 16_384).window).toBe(16_384);
    expect(fitModel({ ...eightBillion, trainedContext: 1_000_000 }, memory(200, 256), null).window).toBe(262_144);
    expect(fitModel({ ...eightBillion, trainedContext: 1024 }, memory(60, 64), null).window).toBe(1024);
  });

  it("counts a graphics card's own memory", () => {
    expect(fitModel(eightBillion, { ...memory(3), gpuFreeBytes: 24e9 }, 32_768).fits).toBe("yes");
  });

  it("never promises more than there is, and never less for more memory", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 30, noNaN: true }),
        fc.option(fc.integer({ min: 2048, max: 262_144 })),
        (free, more, limit) => {
          const one = fitModel(eightBillion, memory(free, 140), limit);
          const two = fitModel(eightBillion, memory(free + more, 140), limit);
          if (one.fits !== "no")
            expect(estimateMemory(eightBillion, one.window, one.sideWindow)).toBeLessThanOrEqual(
              free * 1e9 - reservedBytes(140e9),
            );
          expect(two.window).toBeGreaterThanOrEqual(one.window);
        },
      ),
    );
  });

  it("asks for half in the one retry", () => {
    const whole = fitModel(eightBillion, memory(20, 24), null);
    const retry = fitModel(eightBillion, memory(20, 24), null, 0.5);
    expect(retry.memoryBytes).toBeLessThan(whole.memoryBytes * 0.7);
  });

  it("suggests a size near what people say of their machines", () => {
    expect(suggestedBillions(memory(1.2, 2))).toBeLessThan(1);
    expect(suggestedBillions(memory(6, 8))).toBeGreaterThanOrEqual(3);
    expect(suggestedBillions(memory(6, 8))).toBeLessThanOrEqual(7);
    expect(suggestedBillions(memory(13, 16))).toBeGreaterThanOrEqual(8);
    expect(suggestedBillions(memory(13, 16))).toBeLessThanOrEqual(18);
    expect(suggestedBillions({ ...memory(6, 8), gpuFreeBytes: 24e9 })).toBeGreaterThanOrEqual(24);
  });
});
