import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerWatch } from "../../../../core/models/engine/markers.ts";

function run(
  markers: readonly string[],
  pieces: readonly string[],
): { text: string; marker: string | null; rest: string } {
  const watch = new MarkerWatch(markers);
  let text = "";
  for (const [i, piece] of pieces.entries()) {
    const found = watch.feed(piece);
    text += found.text;
    if (found.marker !== null) return { text, marker: found.marker, rest: found.rest + pieces.slice(i + 1).join("") };
  }
  const last = watch.end();
  return { ...last, text: text + last.text };
}

describe("marker watch", () => {
  it("stops at the first marker and keeps what follows", () => {
    expect(run(["<|im_end|>", "STOP"], ["one STO", "P two"])).toEqual({ text: "one ", marker: "STOP", rest: " two" });
  });

  it("prefers the longest of markers that begin at one place", () => {
    expect(run(["<call", "<call>"], ["x<call>y"])).toEqual({ text: "x", marker: "<call>", rest: "y" });
  });

  it("waits for an earlier marker that is still being written", () => {
    expect(run(["abcd", "c"], ["ab", "cd"])).toEqual({ text: "", marker: "abcd", rest: "" });
  });

  it("passes text on that only looked like a marker", () => {
    expect(run(["STOP"], ["ST", "OR"])).toEqual({ text: "STOR", marker: null, rest: "" });
  });

  it("finds the same however the text is cut", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 3,
        }),
        letters,
        fc.array(fc.nat(), { maxLength: 6 }),
        (markers, text, cuts) => {
          const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
          const pieces = [0, ...places].map((from, i, all) => text.slice(from, all[i + 1] ?? text.length));
          const cut = run(markers, pieces);
          const starts = markers.map((marker) => text.indexOf(marker)).filter((at) => at >= 0);
          expect(cut.text).toBe(starts.length === 0 ? text : text.slice(0, Math.min(...starts)));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
