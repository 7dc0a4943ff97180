import { describe, expect, it } from "vitest";
import { changeWords, diff, refusal, Snapshots } from "../../../core/beliefs/snapshot.ts";
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
