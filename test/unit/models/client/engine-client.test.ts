import { describe, expect, it } from "vitest";
import { backoffMs } from "../../../../core/models/client/backoff.ts";
import { EngineClient } from "../../../../core/models/client/engine-client.ts";
import { ManualClock, silentLog } from "../../../../core/platform/index.ts";
import { FakeEngine } from "../../../support/fake-engine.ts";

function setUp() {
  const host = new FakeEngine().on("countPrompt", () => 7).on("generate", () => ({ text: "yes" }));
  const clock = new ManualClock();
  const states: string[] = [];
  const client = new EngineClient({
    childHost: host,
    clock,
    log: silentLog,
    onState: ({ state }) => states.push(state),
  });
  return { host, clock, client, states };
}

const request = { messages: [] };
const never = new Promise<never>(() => {});

describe("engine client", () => {
  it("starts the process with the first call and not before", async () => {
    const { host, client, states } = setUp();
    expect(host.processes.length).toBe(0);
    expect(await client.call("countPrompt", request)).toBe(7);
    expect(await client.call("countPrompt", request)).toBe(7);
    expect(host.processes.length).toBe(1);
    expect(states).toEqual(["starting", "ready"]);
  });

  it("passes chunks and progress on in order", async () => {
    const { host, client } = setUp();
    host.on("generate", (_params, tell) => {
      for (const text of ["a", "b", "c"]) tell.chunk(text);
      return { text: "abc" };
    });
    let heard = "";
    await client.call("generate", {} as never, { onChunk: (chunk) => (heard += chunk.text) });
    expect(heard).toBe("abc");
  });

  it("gives an error of the engine as the same typed error", async () => {
    const { client } = setUp();
    await expect(client.call("machine", null)).rejects.toMatchObject({ kind: "models.invalid-request" });
  });

  it("rejects what was under way when the process dies, and the next call works", async () => {
    const { host, clock, client, states } = setUp();
    host.on("embed", () => never);
    const pending = client.call("embed", { texts: [], background: false });
    await clock.advance(0);
    host.last.die();
    await expect(pending).rejects.toMatchObject({ kind: "models.engine-died", retry: "now" });
    const next = client.call("countPrompt", request);
    await clock.advance(backoffMs(1));
    expect(await next).toBe(7);
    expect(states).toEqual(["starting", "ready", "restarting", "restarting", "restarting", "ready"]);
  });

  it("recovers twenty times in a row, each time as soon as the first", async () => {
    const { host, clock, client } = setUp();
    for (let round = 0; round < 20; round++) {
      const call = client.call("generate", {} as never);
      await clock.advance(250);
      expect(await call).toEqual({ text: "yes" });
      host.last.die();
    }
    expect(host.processes.length).toBe(20);
  });

  it("waits longer after each start that fails, then gives up until somebody asks again", async () => {
    const { host, clock, client, states } = setUp();
    host.onStart = () => "die";
    const call = client.call("countPrompt", request);
    const outcome = expect(call).rejects.toMatchObject({ kind: "models.engine-unavailable" });
    const starts: number[] = [];
    for (let ms = 0; ms < 20_000; ms += 50) {
      await clock.advance(50);
      if (host.processes.length > starts.length) starts.push(ms);
    }
    await outcome;
    expect(host.processes.length).toBe(6);
    const gaps = starts.slice(1).map((at, i) => at - starts[i]!);
    for (let i = 1; i < gaps.length; i++) expect(gaps[i]).toBeGreaterThan(gaps[i - 1]!);
    expect(states.at(-1)).toBe("failed");
    host.onStart = () => "ready";
    expect(await client.call("countPrompt", request)).toBe(7);
  });

  it("tries without the graphics card after two deaths that achieved nothing", async () => {
    const { host, clock, client } = setUp();
    host.onStart = (process) => (process < 2 ? "die" : "ready");
    const call = client.call("countPrompt", request);
    await clock.advance(5000);
    expect(await call).toBe(7);
    expect(host.processes.map(({ graphics }) => graphics)).toEqual([true, true, false]);
  });

  it("ends a process that says it cannot work", async () => {
    const { host, clock, client } = setUp();
    host.onStart = (process) => (process === 0 ? "failed" : "ready");
    const call = client.call("countPrompt", request);
    await clock.advance(1000);
    expect(await call).toBe(7);
    expect(host.processes[0]!.killed).toBe(true);
  });

  it("ends a process that never says anything", async () => {
    const { host, clock, client } = setUp();
    host.onStart = (process) => (process === 0 ? (undefined as never) : "ready");
    const spawn = host.spawn.bind(host);
    host.spawn = () => {
      const port = spawn();
      return host.processes.length === 1 ? { ...port, post: () => {} } : port;
    };
    const call = client.call("countPrompt", request);
    await clock.advance(121_000);
    expect(await call).toBe(7);
  });

  it("passes a stop on to the engine", async () => {
    const { host, clock, client } = setUp();
    host.on("generate", async (_params, tell) => {
      await tell.cancelled;
      return { text: "so far", stopped: "aborted" };
    });
    const controller = new AbortController();
    await client.start();
    const call = client.call("generate", {} as never, { signal: controller.signal });
    await clock.advance(0);
    controller.abort();
    expect(await call).toMatchObject({ stopped: "aborted" });
  });

  it("does not begin a call that was stopped before", async () => {
    const { host, client } = setUp();
    const controller = new AbortController();
    controller.abort();
    await expect(client.call("generate", {} as never, { signal: controller.signal })).rejects.toMatchObject({
      kind: "general.cancelled",
    });
    expect(host.calls.length).toBe(0);
  });

  it("tells callers bound to a process that it is gone", async () => {
    const { host, clock, client } = setUp();
    const generation = await client.start();
    host.last.die();
    await clock.advance(1000);
    await expect(client.callIn(generation, "countPrompt", request)).rejects.toMatchObject({
      kind: "models.engine-died",
    });
    expect(await client.callIn(client.generation, "countPrompt", request)).toBe(7);
  });

  it("does not start again once closed", async () => {
    const { host, clock, client } = setUp();
    await client.start();
    client.close();
    await clock.advance(20_000);
    expect(host.processes.length).toBe(1);
    await expect(client.call("countPrompt", request)).rejects.toMatchObject({ kind: "models.engine-unavailable" });
  });
});
