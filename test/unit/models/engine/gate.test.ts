import { describe, expect, it } from "vitest";
import { ComputeGate, Queue } from "../../../../core/models/engine/gate.ts";

const never = new AbortController().signal;

describe("compute gate", () => {
  it("lets a job alone go on without waiting", () => {
    const turn = new ComputeGate().begin("background");
    expect(turn.step(never)).toBeNull();
  });

  it("holds background work while an answer is written, and lets it on afterwards", async () => {
    const gate = new ComputeGate();
    const background = gate.begin("background");
    const answer = gate.begin("conversation");
    expect(answer.step(never)).toBeNull();
    let resumed = false;
    const waiting = background.step(never)!.then(() => {
      resumed = true;
    });
    await Promise.resolve();
    expect(resumed).toBe(false);
    answer.end();
    await waiting;
    expect(resumed).toBe(true);
  });

  it("lets a search's query before the answer's next token", () => {
    const gate = new ComputeGate();
    const answer = gate.begin("conversation");
    const query = gate.begin("query");
    expect(query.step(never)).toBeNull();
    expect(answer.step(never)).not.toBeNull();
    query.end();
    expect(answer.step(never)).toBeNull();
  });

  it("wakes a waiting job when it is stopped", async () => {
    const gate = new ComputeGate();
    gate.begin("conversation");
    const side = gate.begin("side");
    const controller = new AbortController();
    const waiting = side.step(controller.signal);
    controller.abort();
    await waiting;
    expect(side.step(controller.signal)).toBeNull();
  });

  it("counts an end only once", () => {
    const gate = new ComputeGate();
    const one = gate.begin("conversation");
    gate.begin("conversation");
    one.end();
    one.end();
    expect(gate.begin("side").step(never)).not.toBeNull();
  });
});

describe("queue", () => {
  it("runs jobs one after another and goes on after a failure", async () => {
    const queue = new Queue();
    const seen: string[] = [];
    const first = queue.run(never, async () => {
      await Promise.resolve();
      seen.push("first");
      throw new Error("no");
    });
    const second = queue.run(never, async () => seen.push("second"));
    await expect(first).rejects.toThrow("no");
    await second;
    expect(seen).toEqual(["first", "second"]);
  });

  it("never starts a job that was stopped while it waited", async () => {
    const queue = new Queue();
    const controller = new AbortController();
    let release = () => {};
    const first = queue.run(never, () => new Promise<void>((resolve) => (release = resolve)));
    let started = false;
    const second = queue.run(controller.signal, async () => {
      started = true;
    });
    controller.abort();
    await Promise.resolve();
    release();
    await first;
    await expect(second).rejects.toThrow();
    expect(started).toBe(false);
  });
});
