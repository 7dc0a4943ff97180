import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChildPort } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { temporaryFolder } from "../../support/profile.ts";

function start(program: string): {
  child: ChildPort;
  messages: unknown[];
  exit: Promise<[number | null, string | null]>;
} {
  const folder = temporaryFolder();
  const entry = join(folder.path, "child with spaces.mjs");
  writeFileSync(entry, program);
  const child = nodeChildHost({ engine: entry, parser: entry }).spawn("engine");
  const messages: unknown[] = [];
  child.onMessage((message) => messages.push(message));
  const exit = new Promise<[number | null, string | null]>((done) =>
    child.onExit((code, signal) => done([code, signal])),
  );
  return { child, messages, exit };
}

test("messages go both ways in order, typed arrays included", async () => {
  const { child, messages, exit } = start(
    "process.on('message', (m) => m === 'end' ? process.disconnect() : process.send(m)); process.send('up');",
  );
  child.post(new Float32Array([1, 2]));
  child.post({ n: 2 });
  child.post("end");
  expect(await exit).toEqual([0, null]);
  expect(messages).toEqual(["up", new Float32Array([1, 2]), { n: 2 }]);
});

test("a killed child is reported once, with its signal, and posting to it afterwards does not throw", async () => {
  const { child, exit } = start("setInterval(() => {}, 1000);");
  child.kill();
  expect(await exit).toEqual([null, "SIGKILL"]);
  child.post("too late");
});
