import { describe, expect, it } from "vitest";
import { cutLoop, SentenceLoop, TokenLoop } from "../../../../core/models/engine/repetition.ts";

function tokenLoopAt(tokens: readonly number[]): number {
  const loop = new TokenLoop();
  return tokens.findIndex((token) => loop.add(token));
}

function sentenceLoop(text: string, size = 7): number | null {
  const loop = new SentenceLoop();
  for (let at = 0; at < text.length; at += size) if (loop.add(text.slice(at, at + size))) return loop.loopStart;
  return null;
}

const varied = Array.from({ length: 400 }, (_, i) => (i * 7919) % 1009);

describe("token loops", () => {
  it("finds one token said for ever", () => {
    expect(tokenLoopAt(new Array(400).fill(5))).toBeGreaterThan(60);
    expect(tokenLoopAt(new Array(400).fill(5))).toBeLessThan(200);
  });

  it("finds a phrase said for ever after an honest beginning", () => {
    const phrase = [11, 12, 13, 14, 15, 16, 17];
    const tokens = [...varied.slice(0, 50), ...Array.from({ length: 40 }, () => phrase).flat()];
    const at = tokenLoopAt(tokens);
    expect(at).toBeGreaterThan(50 + 60);
    expect(at).toBeLessThan(50 + 120);
  });

  it("finds a loop as long as a paragraph", () => {
    const paragraph = varied.slice(0, 90);
    expect(tokenLoopAt(Array.from({ length: 8 }, () => paragraph).flat())).toBeGreaterThan(0);
  });

  it("lets text pass that does not repeat", () => {
    expect(tokenLoopAt(varied)).toBe(-1);
  });

  it("lets a row of dashes and a table of zeros pass", () => {
    expect(tokenLoopAt([...varied.slice(0, 20), ...new Array(60).fill(3), ...varied.slice(20, 60)])).toBe(-1);
    expect(
      tokenLoopAt([...varied.slice(0, 20), ...Array.from({ length: 12 }, (_, i) => [1, 2, 3, 100 + i]).flat()]),
    ).toBe(-1);
  });
});

describe("sentence loops", () => {
  const sentence = "The river runs past the old mill and into the lake. ";

  it("finds a sentence said three times in a row, and where the repetition began", () => {
    const start = sentenceLoop(`An opening of its own. ${sentence.repeat(6)}`);
    expect(start).toBe(`An opening of its own. ${sentence}`.length);
  });

  it("finds a sentence that differs by its number alone", () => {
    const text = Array.from({ length: 8 }, (_, i) => `${i + 1}. Drink more water in the morning hours\n`).join("");
    expect(sentenceLoop(text)).not.toBeNull();
  });

  it("finds sentences that take turns", () => {
    expect(sentenceLoop(`${sentence}Then the wind turns and the boats come home again. `.repeat(8))).not.toBeNull();
  });

  it("lets a sentence come back twice", () => {
    expect(sentenceLoop(`${sentence}Something else is said about the town. ${sentence}`)).toBeNull();
  });

  it("lets short lines and code repeat", () => {
    expect(sentenceLoop("Yes.\nNo.\n".repeat(20))).toBeNull();
    expect(sentenceLoop(`\`\`\`js\n${"console.log('the very same line of code');\n".repeat(10)}\`\`\`\n`)).toBeNull();
  });

  it("finds the same wherever the stream is cut", () => {
    const text = `Before. ${sentence.repeat(5)}`;
    for (let size = 1; size < 40; size++) expect(sentenceLoop(text, size)).toBe(`Before. ${sentence}`.length);
  });
});

describe("cutting a loop", () => {
  it("leaves the first instance", () => {
    expect(cutLoop("Well: la la la la la la la la la la la la ")).toBe("Well: la");
    expect(cutLoop(`x${"abcdefghij".repeat(5)}`)).toBe("xabcdefghij");
  });

  it("leaves other text as it is", () => {
    expect(cutLoop("Nothing repeats here, or not enough.")).toBe("Nothing repeats here, or not enough.");
  });
});
