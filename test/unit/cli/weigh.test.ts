import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EXIT, runCommandLine } from "../../../core/cli/index.ts";
import { EvidenceVerdict } from "../../../core/contract/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** No model is installed: the rules weigh by words alone, and no child process is started. */
async function weigh(argv: readonly string[], input: readonly string[] = []) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine({
    argv: ["weigh", ...argv],
    env: { CREDENCE_HOME: folder.path },
    stdin: Readable.from(input.map((line) => `${line}\n`)) as NodeJS.ReadStream,
    stdout,
    stderr,
    modelDirs: [],
    childHost: {
      spawn(): never {
        throw new Error("no child process is needed here");
      },
    },
    signal: new AbortController().signal,
  });
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}
const trial = "In 412 patients pain fell by 23 % compared with placebo (95 % CI 15 to 31).";

test("--json prints the whole verdict and nothing else", async () => {
  const { code, out, err } = await weigh(["--json", trial]);
  expect(code).toBe(EXIT.done);
  expect(err).toBe("");
  const verdict = EvidenceVerdict.parse(JSON.parse(out));
  expect(verdict).toMatchObject({
    reasoningType: "empirical_data",
    allowed: true,
    recommendUpdate: true,
    scorer: "rules",
  });
});

test("--lines weighs each line, plain or JSON, and answers in the same order", async () => {
  const { code, out } = await weigh(
    ["--lines"],
    [
      trial,
      JSON.stringify("Everyone agrees with us,\nyou are the only one who doubts it."),
      JSON.stringify({ text: "Good morning!" }),
    ],
  );
  expect(code).toBe(EXIT.done);
  const verdicts = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as EvidenceVerdict);
  expect(verdicts.map((verdict) => verdict.reasoningType)).toEqual([
    "empirical_data",
    "social_pressure",
    "no_argument",
  ]);
  expect(verdicts.map((verdict) => verdict.allowed)).toEqual([true, false, false]);
});

test("without a flag it says in words what it found and who weighed it", async () => {
  const { out } = await weigh([trial]);
  expect(out).toMatch(/may move a belief/);
  expect(out).toMatch(/Weighed by: rules/);
});

test("without a text it says where to put one", async () => {
  const { code, err } = await weigh([]);
  expect(code).not.toBe(EXIT.done);
  expect(err).toMatch(/write it after the command/);
});
