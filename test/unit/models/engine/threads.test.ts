import { describe, expect, it } from "vitest";
import { threadsFor } from "../../../../core/models/engine/llama.ts";

describe("threads", () => {
  it("are all physical cores on a machine that has time", () => {
    expect(threadsFor(8, 0, 16)).toBe(8);
    expect(threadsFor(8, 30, 16)).toBe(8);
  });

  it("are fewer on a crowded machine, and never none", () => {
    expect(threadsFor(8, 48, 16)).toBe(2);
    expect(threadsFor(2, 12, 2)).toBe(1);
    expect(threadsFor(1, 100, 1)).toBe(1);
  });
});
