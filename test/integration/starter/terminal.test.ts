import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/profile.ts";

const cli = fileURLToPath(new URL("../../../core/cli/main.ts", import.meta.url));

function credence(args: readonly string[], input: string): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once("exit", (code) => resolve({ code, out })));
}

test("a chat in the terminal answers each line of a script, and the conversation is kept", async () => {
  const folder = temporaryFolder();
  const chat = await credence(
    ["chat", "--data-dir", folder.path],
    "What is the capital of France?\n/list\n/nonsense\n/quit\n",
  );
  expect(chat.code).toBe(0);
  expect(chat.out).toMatch(/credence › \S/);
  expect(chat.out).toMatch(/1 {2}What is the capital of France/);
  expect(chat.out).toMatch(/There is no \/nonsense/);
  const listed = await credence(["conversations", "list", "--json", "--data-dir", folder.path], "");
  expect(JSON.parse(listed.out)).toMatchObject([{ turns: 1 }]);
  folder.remove();
});

test("ask prints one JSON document with the answer, and --lines one a line in the order of the questions", async () => {
  const folder = temporaryFolder();
  const one = await credence(["ask", "What is the capital of France?", "--json", "--data-dir", folder.path], "");
  expect(JSON.parse(one.out)).toMatchObject({
    ok: true,
    outcome: "completed",
    answer: expect.stringMatching(/\w/),
    generatedTokens: expect.any(Number),
  });
  const many = await credence(
    ["ask", "--lines", "--private", "--data-dir", folder.path],
    "Say hello.\nHow many days are in a week?\n",
  );
  expect(
    many.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).question),
  ).toEqual(["Say hello.", "How many days are in a week?"]);
  expect(many.code).toBe(0);
  folder.remove();
});
