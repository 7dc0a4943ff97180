import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isCredenceError } from "../../../core/contract/index.ts";
import { silentLog } from "../../../core/platform/index.ts";
import {
  backUp,
  Connection,
  listBackups,
  type Migration,
  migrations,
  openStorage,
} from "../../../core/storage/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const notes: Migration = {
  version: 1,
  name: "notes",
  up: (db) => {
    db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
    return 0;
  },
};
const shout: Migration = {
  version: 2,
  name: "shout",
  up: (db) => db.write("UPDATE notes SET text = upper(text)").run().changes,
};
const broken: Migration = {
  version: 2,
  name: "broken",
  up: (db) => {
    db.write("DELETE FROM notes").run();
    throw new Error("half way");
  },
};

const open = (steps: readonly Migration[]) => openStorage({ dataDir: folder.path, migrations: steps, log: silentLog });

async function withNotes(): Promise<void> {
  const { connection } = await open([notes]);
  for (let i = 0; i < 2000; i++)
    connection.write("INSERT INTO notes (text) VALUES (?)").run(`note ${i} ${"x".repeat(200)}`);
  connection.close();
}

test("a new folder with spaces and letters of other scripts gets a database in WAL with foreign keys on", async () => {
  const { connection, rescue } = await openStorage({
    dataDir: join(folder.path, "Ordner mit Ärger", "数据"),
    migrations,
    log: silentLog,
  });
  expect(rescue).toBeNull();
  expect([
    connection.pragma("journal_mode"),
    connection.pragma("foreign_keys"),
    connection.pragma("busy_timeout"),
  ]).toEqual(["wal", 1, 5000]);
  connection.close();
});

test("a migration is preceded by a copy that holds the old rows", async () => {
  await withNotes();
  const { connection } = await open([notes, shout]);
  expect(connection.read<{ text: string }>("SELECT text FROM notes LIMIT 1").get()!.text).toMatch(/^NOTE 0/);
  connection.close();
  const [backup] = listBackups(folder.path);
  const old = new Connection(backup!.path, { readonly: true });
  expect(old.read<{ text: string }>("SELECT text FROM notes LIMIT 1").get()!.text).toMatch(/^note 0/);
  old.close();
});

test("a migration that fails leaves the file as it was, and the next start can try again", async () => {
  await withNotes();
  const error = await open([notes, broken]).catch((thrown) => thrown);
  expect(isCredenceError(error, "storage.upgrade-failed") && error.facts.step).toBe("broken");
  const { connection } = await open([notes, shout]);
  expect(connection.read<{ n: number }>("SELECT count(*) AS n FROM notes").get()!.n).toBe(2000);
  connection.close();
});

test("a file of a newer version is refused by name and number, and not touched", async () => {
  const { connection } = await open([notes, shout]);
  connection.close();
  const before = statSync(join(folder.path, "credence.db")).size;
  const error = await open([notes]).catch((thrown) => thrown);
  expect(isCredenceError(error, "storage.newer-version") && error.facts).toMatchObject({ found: 2, known: 1 });
  expect(statSync(join(folder.path, "credence.db")).size).toBe(before);
});

test("a damaged page opens the file read-only and names the newest copy", async () => {
  await withNotes();
  const first = await open([notes]);
  const copy = await backUp(first.connection, folder.path, "manual");
  first.connection.close();
  const file = openSync(join(folder.path, "credence.db"), "r+");
  for (let page = 20; page < 24; page++) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(file);
  const { connection, rescue } = await open([notes]);
  expect(rescue?.backup?.path).toBe(copy.path);
  expect(connection.writable).toBe(false);
  expect(() => connection.write("DELETE FROM notes").run()).toThrow(/readonly/);
  expect(connection.read<{ text: string }>("SELECT text FROM notes WHERE id = 1").get()!.text).toMatch(/^note 0/);
  connection.close();
});

test("a file that is no database at all is named, with what to do, and kept", async () => {
  writeFileSync(join(folder.path, "credence.db"), "<html>not a database</html>".repeat(500));
  const error = await open([notes]).catch((thrown) => thrown);
  expect(isCredenceError(error, "storage.damaged")).toBe(true);
  expect(error.message).toMatch(/another data folder/);
  expect(existsSync(join(folder.path, "credence.db"))).toBe(true);
});

test("a plain file where the folder should be is said to be not writable", async () => {
  writeFileSync(join(folder.path, "profile"), "");
  const error = await openStorage({ dataDir: join(folder.path, "profile"), migrations, log: silentLog }).catch(
    (e) => e,
  );
  expect(isCredenceError(error, "storage.folder-not-writable") && error.facts).toEqual({
    folder: join(folder.path, "profile"),
  });
});

test("only the newest five copies are kept", async () => {
  const { connection } = await open([notes]);
  for (let i = 0; i < 7; i++) await backUp(connection, folder.path, `n${i}`);
  connection.close();
  expect(listBackups(folder.path)).toHaveLength(5);
});
