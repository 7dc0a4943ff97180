import { describe, expect, it } from "vitest";
import { isBorne } from "../../../core/beliefs/rewrite.ts";
import { Beliefs } from "../../../core/beliefs/service.ts";
import { changeWords, diff, refusal, Snapshots } from "../../../core/beliefs/snapshot.ts";
import type { ChatModel } from "../../../core/models/types.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate } from "../../../core/storage/index.ts";
import { migrations } from "../../../core/storage/migrations/index.ts";

const long =
  "I hold that silver eels pass at night. I do not know whether fares matter. I doubt that noise is the cause.";

function open(): Snapshots {
  const db = new Connection(":memory:");
  migrate(db, migrations);
  return new Snapshots(db);
}

describe("a rewrite of the snapshot", () => {
  it("is refused under 30 characters or under 60 % of the one before, and the refusal stays on record", () => {
    expect(refusal("x".repeat(29), "")).toMatch(/29 characters/);
    expect(refusal("x".repeat(30), "")).toBeNull();
    expect(refusal("x".repeat(59), "y".repeat(100))).toMatch(/59 %/);
    expect(refusal("x".repeat(60), "y".repeat(100))).toBeNull();
    const snapshots = open();
    snapshots.propose(long, "rules", 1);
    expect(snapshots.propose("Too short to be believed, this one is.", "model", 2)).toMatchObject({ version: null });
    expect(snapshots.current()).toMatchObject({ version: 1, text: long });
    expect(snapshots.all().map((row) => row.version)).toEqual([null, 1]);
  });

  it("makes a version only when something changed, and old versions can return", () => {
    const snapshots = open();
    snapshots.propose(long, "rules", 1);
    expect(snapshots.propose(` ${long}\n`, "rules", 2)).toBeNull();
    snapshots.propose(`${long} I hold that the bridge is safe.`, "rules", 3);
    expect(snapshots.returnTo(1, 4)).toMatchObject({ version: 3, text: long, author: "user" });
    expect(() => snapshots.returnTo(9, 5)).toThrow(/no snapshot version/);
  });
});

describe("the difference of two versions", () => {
  it("keeps what is the same and names what came and went", () => {
    const after = long.replace("I do not know whether fares matter.", "I hold that fares matter.");
    expect(diff(long, after).map((change) => change.kind)).toEqual(["same", "removed", "added", "same"]);
    expect(changeWords(long, after)).toBe("1 sentence changed");
    expect(changeWords(long, `${long} And more.`)).toBe("1 added");
    expect(changeWords(null, long)).toBe("First version");
  });
});

describe("a snapshot in a model's words", () => {
  const text =
    "We counted silver eels at Brackwell weir with telemetry: 97 of 118 tagged eels passed at night (two seasons, n = 118).";
  const signal = new AbortController().signal;

  async function write(reply: string) {
    const db = new Connection(":memory:");
    migrate(db, migrations);
    db.write("INSERT INTO belief_scorer_trials (model_id, correct, asked, at) VALUES ('m', 8, 8, 1)").run();
    const verdict = {
      type: "empirical_data",
      strength: 0.7,
      specificity: 1,
      grounding: 1,
      rigor: 1,
      source: 1,
      objectivity: 1,
      urgency: 0,
      update: true,
    };
    const model = {
      description: {
        id: "m",
        name: "M",
        architecture: "x",
        trainedContext: 8192,
        window: 8192,
        supportsTools: false,
        reasons: false,
      },
      structured: async () => ({ value: verdict, promptTokens: 1, generatedTokens: 1 }),
      generate: async () => ({ text: reply, stopped: "end" }),
    } as unknown as ChatModel;
    const beliefs = new Beliefs({
      db,
      clock: new ManualClock(),
      log: silentLog,
      embedder: async () => null,
      model: async () => model,
    });
    await beliefs.add(text, "", null, signal);
    return beliefs;
  }

  it("stands when it stays within what is believed", async () => {
    const reply = "I hold that of 118 tagged silver eels counted at Brackwell weir, 97 passed at night.";
    const beliefs = await write(reply);
    expect(beliefs.snapshots.current()).toMatchObject({ author: "model", text: reply });
  });

  it("gives way to the plain list when it adds a fact or a figure", async () => {
    for (const reply of [
      "I hold that 99 of 118 tagged silver eels passed Brackwell weir at night.",
      "I hold that tagged eels passed Brackwell weir at night. The mayor of Hexley is surely a crook who sold the bridge.",
    ]) {
      const beliefs = await write(reply);
      expect(beliefs.snapshots.current()).toMatchObject({ author: "rules" });
      expect(isBorne(reply, beliefs.store.all())).toBe(false);
    }
  });
});
