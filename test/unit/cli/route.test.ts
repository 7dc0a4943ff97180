import { describe, expect, it } from "vitest";
import type { App } from "../../../core/app.ts";
import type { CommandContext } from "../../../core/cli/command.ts";
import { route } from "../../../core/cli/commands/route.ts";

function context(inputs: readonly string[], flags: { json?: boolean; lines?: boolean }) {
  const printed: string[] = [];
  const asked: string[] = [];
  const app = {
    async call(_: string, { text }: { text: string }) {
      asked.push(text);
      if (text === "broken") throw new Error("broken");
      return { action: "answer", confidence: 0.98, proposer: "harness", reason: "a greeting" };
    },
  } as unknown as App;
  const made = {
    json: flags.json ?? false,
    lines: flags.lines ?? false,
    signal: new AbortController().signal,
    app: async () => app,
    text: async () => inputs.join(" "),
    async *inputs() {
      yield* inputs;
    },
    async print(text: string) {
      printed.push(text);
    },
  } as unknown as CommandContext;
  return { made, printed, asked };
}

describe("credence route", () => {
  it("prints one document for one message, or words for a person", async () => {
    const json = context(["hi", "there"], { json: true });
    expect(await route.run(json.made)).toBe(0);
    expect(json.asked).toEqual(["hi there"]);
    expect(json.printed.map((line) => JSON.parse(line))).toEqual([
      { action: "answer", confidence: 0.98, proposer: "harness", reason: "a greeting" },
    ]);
    const words = context(["hi"], {});
    await route.run(words.made);
    expect(words.printed).toEqual(["answer  (98 %, harness: a greeting)"]);
  });

  it("prints one line a message in order, takes messages of several lines as JSON, and goes on after a failure", async () => {
    const lines = context(['"two\\nlines"', '{"text": "an object"}', "{not json", "broken", "last"], { lines: true });
    expect(await route.run(lines.made)).toBe(3);
    expect(lines.asked).toEqual(["two\nlines", "an object", "{not json", "broken", "last"]);
    expect(lines.printed.map((line) => JSON.parse(line).action ?? JSON.parse(line).error.kind)).toEqual([
      "answer",
      "answer",
      "answer",
      "general.unexpected",
      "answer",
    ]);
  });
});
