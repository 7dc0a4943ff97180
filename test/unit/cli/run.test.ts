import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createApp } from "../../../core/app.ts";
import { EXIT, profileFolder, runCommandLine } from "../../../core/cli/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** No command of these tests needs a child process; one that starts any fails the test. */
const noChildren = {
  spawn(): never {
    throw new Error("no child process is needed here");
  },
};

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine({
    argv,
    env: { CREDENCE_HOME: folder.path },
    stdin: Readable.from([]) as NodeJS.ReadStream,
    stdout,
    stderr,
    modelDirs: [],
    childHost: noChildren,
    signal: new AbortController().signal,
  });
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

async function conversationNamed(title: string): Promise<string> {
  const app = await createApp({ dataDir: folder.path, modelDirs: [], childHost: noChildren });
  const { id } = await app.call("conversations.create", {});
  await app.call("conversations.rename", { id, title });
  await app.close();
  return id;
}

test("without a command, and with help, the commands are listed and the exit code is 0", async () => {
  for (const argv of [[], ["help"]]) {
    const { code, out } = await run(...argv);
    expect(code).toBe(EXIT.done);
    expect(out).toMatch(/ask TEXT/);
  }
});

test("an unknown command is named, and a group's commands are offered", async () => {
  expect(await run("frobnicate")).toMatchObject({
    code: EXIT.usage,
    out: "",
    err: expect.stringContaining('"frobnicate"'),
  });
  expect((await run("conversations")).err).toMatch(/conversations list, conversations show/);
});

test("an unknown option shows how the command is used", async () => {
  const { code, err } = await run("doctor", "--frob");
  expect(code).toBe(EXIT.usage);
  expect(err).toMatch(/Usage: credence doctor/);
});

test("--json prints one document and nothing else, for results and for errors", async () => {
  const id = await conversationNamed("Eels");
  const listed = await run("conversations", "list", "--json");
  expect(JSON.parse(listed.out)).toMatchObject([{ id, title: "Eels" }]);
  expect(listed.err).toBe("");
  const failed = await run("--json", "conversations", "show", "con_missing");
  expect(failed.code).toBe(EXIT.failed);
  expect(JSON.parse(failed.out)).toMatchObject({ ok: false, error: { kind: "general.not-found", retry: "never" } });
});

test("a conversation is exported as Markdown and as JSON", async () => {
  const id = await conversationNamed("Eels");
  expect((await run("conversations", "export", id)).out).toMatch(/^# Eels\n/);
  expect(JSON.parse((await run("conversations", "export", id, "--format", "json")).out)).toMatchObject({
    conversation: { title: "Eels" },
  });
  expect((await run("conversations", "export", id, "--format", "pdf")).code).toBe(EXIT.usage);
});

test("the command line works beside a window that has the profile", async () => {
  const id = await conversationNamed("Shared");
  const window = await createApp({ dataDir: folder.path, modelDirs: [], childHost: noChildren });
  expect((await run("conversations", "list")).out).toContain(id);
  await window.close();
});

test("--data-dir goes before CREDENCE_HOME, and that before the platform's own folder", () => {
  expect(profileFolder("/a", { CREDENCE_HOME: "/b" })).toBe("/a");
  expect(profileFolder(undefined, { CREDENCE_HOME: "/b" })).toBe("/b");
  expect(profileFolder(undefined, {})).toMatch(/credence/i);
});
