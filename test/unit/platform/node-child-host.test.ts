import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { temporaryFolder } from "../../support/profile.ts";

const folder = temporaryFolder();
afterAll(folder.remove);
const echo = join(folder.path, "echo child ä.mjs");
writeFileSync(echo, "process.on('message', (m) => m === 'end' ? process.exit(3) : process.send(m));\n");
const host = nodeChildHost({ engine: echo, parser: join(folder.path, "missing.mjs") });

const exitOf = (child: ReturnType<typeof host.spawn>): Promise<[number | null, string | null]> =>
  new Promise((resolve) => child.onExit((code, signal) => resolve([code, signal])));

describe("helper processes under Node", () => {
  it("take and give structured values in order", async () => {
    const child = host.spawn("engine");
    const heard: unknown[] = [];
    const all = new Promise<void>((resolve) => {
      child.onMessage((message) => {
        heard.push(message);
        if (heard.length === 3) resolve();
      });
    });
    const values = [{ vector: Float32Array.from([1.5, -2]) }, new Map([["a", [1n]]]), "🎈"];
    for (const value of values) child.post(value);
    await all;
    expect(heard).toEqual(values);
    child.kill();
    expect(await exitOf(child)).toEqual([null, "SIGKILL"]);
  });

  it("tell their exit once, to those who ask late as well", async () => {
    const child = host.spawn("engine");
    child.post("end");
    expect(await exitOf(child)).toEqual([3, null]);
    expect(await exitOf(child)).toEqual([3, null]);
    child.post("nobody hears this");
    child.kill();
  });

  it("tell when their program is not there", async () => {
    expect((await exitOf(host.spawn("parser")))[0]).not.toBe(0);
  });
});
