import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../core/platform/index.ts";
import {
  applyRestore,
  backUp,
  type Connection,
  migrations,
  openStorage,
  scheduleRestore,
} from "../../../core/storage/index.ts";

let dataDir: string;
let db: Connection | null;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "credence-restore-"));
  db = await start();
});

afterEach(() => {
  db?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async () => (await openStorage({ dataDir, migrations, log: silentLog })).connection;
const newest = migrations.at(-1)!.version;
const titles = () =>
  db!
    .read<{ title: string }>("SELECT title FROM conversations ORDER BY id")
    .all()
    .map((row) => row.title);
const add = (id: string, title: string) =>
  db!.write("INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, 1, 1)").run(id, title);

describe("restoring a backup", () => {
  it("puts everything back at the next start and keeps what was there", async () => {
    add("a", "Before");
    const backup = await backUp(db!, dataDir, "manual");
    add("b", "After");
    scheduleRestore({ dataDir, path: backup.path, newest });
    expect(titles()).toEqual(["Before", "After"]);
    db!.close();
    expect(applyRestore(dataDir, silentLog)).toBe(true);
    db = await start();
    expect(titles()).toEqual(["Before"]);
    expect(readdirSync(join(dataDir, "backups")).some((name) => name.startsWith("replaced-"))).toBe(true);
    expect(applyRestore(dataDir, silentLog)).toBe(false);
  });

  it("refuses what is no backup, and a backup of a newer version, and changes nothing", async () => {
    const file = join(dataDir, "notes.db");
    writeFileSync(file, "these are notes");
    expect(() => scheduleRestore({ dataDir, path: file, newest })).toThrowError(/not a whole backup/);
    expect(() => scheduleRestore({ dataDir, path: join(dataDir, "gone.db"), newest })).toThrowError(
      /not a whole backup/,
    );
    const backup = await backUp(db!, dataDir, "manual");
    expect(() => scheduleRestore({ dataDir, path: backup.path, newest: newest - 1 })).toThrowError(/newer/);
    expect(applyRestore(dataDir, silentLog)).toBe(false);
  });
});
