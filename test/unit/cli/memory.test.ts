import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EXIT, runCommandLine } from "../../../core/cli/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Without any model: memory then works by words alone, and needs no child process. */
const noChildren = {
  spawn(): never {
    throw new Error("no child process is needed here");
  },
};

async function run(
  argv: readonly string[],
  input: readonly string[] = [],
): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine({
    argv,
    env: { CREDENCE_HOME: folder.path },
    stdin: Readable.from(input) as NodeJS.ReadStream,
    stdout,
    stderr,
    modelDirs: [],
    childHost: noChildren,
    signal: new AbortController().signal,
  });
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

test("what was remembered is recalled with its id, score, reason and source, also without a model", async () => {
  const first = await run(["remember", "My dog is called Biscuit. He likes the beach.", "--json", "--no-wait"]);
  const { ids } = JSON.parse(first.out) as { ids: string[] };
  expect(ids).toHaveLength(1);
  await run(["remember", "The weir was built in 1902.", "--no-wait"]);
  const { code, out } = await run(["recall", "what is my dog called?", "--json"]);
  expect(code).toBe(EXIT.done);
  const answer = JSON.parse(out);
  expect(answer).toMatchObject({ query: "what is my dog called?", route: "simple", meaning: false });
  expect(answer.passages[0]).toMatchObject({
    id: ids[0],
    kind: "memory",
    sourceId: ids[0],
    why: "same words",
    similarity: null,
    mark: [0, 25],
  });
  expect(answer.passages[0].score).toBeGreaterThan(0);
});

test("the same text is remembered once", async () => {
  const twice = [
    await run(["remember", "I keep bees.", "--no-wait"]),
    await run(["remember", "I keep bees.", "--no-wait"]),
  ];
  expect(twice[0]!.out).toBe(twice[1]!.out);
  const { passages } = JSON.parse((await run(["recall", "bees", "--json"])).out);
  expect(passages).toHaveLength(1);
});

test("many texts are remembered and many questions asked, one document a line in their order", async () => {
  const stored = await run(["remember", "--lines", "--no-wait"], ["I keep bees.\n", "I play the cello.\n"]);
  expect(stored.out.trim().split("\n")).toHaveLength(2);
  const { out } = await run(["recall", "--lines"], ["which instrument?\n", "do I keep bees?\n"]);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.query)).toEqual(["which instrument?", "do I keep bees?"]);
  expect(lines[1].passages[0].text).toBe("I keep bees.");
});

test("a wrong limit is refused in words, and nothing found is said", async () => {
  expect((await run(["recall", "bees", "--limit", "0"])).err).toMatch(/--limit is a whole number from 1 to 200/);
  expect((await run(["recall", "bees"])).err).toMatch(/Nothing in memory belongs to that/);
});

test("a backup is made, listed, and put in place at the next start", async () => {
  await run(["remember", "I keep bees.", "--no-wait"]);
  const { path } = JSON.parse((await run(["backup", "--json"])).out) as { path: string };
  await run(["remember", "I sold the bees.", "--no-wait"]);
  expect(JSON.parse((await run(["backups", "--json"])).out)).toMatchObject([{ path }]);
  expect((await run(["restore", path])).code).toBe(EXIT.done);
  const { passages } = JSON.parse((await run(["recall", "bees", "--json"])).out) as { passages: { text: string }[] };
  expect(passages.map((passage) => passage.text)).toEqual(["I keep bees."]);
});
