import { expect, test } from "vitest";
import { isCredenceError } from "../../../core/contract/index.ts";
import { asStorageError, Connection } from "../../../core/storage/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

test("a database that may not grow further says that the disk is full, and keeps what was stored", () => {
  const folder = temporaryFolder();
  const connection = new Connection(`${folder.path}/full.db`);
  connection.exec("CREATE TABLE notes (text TEXT NOT NULL) STRICT; INSERT INTO notes VALUES ('kept')");
  // SQLite's own page limit fails with the same code as a full disk (SQLITE_FULL).
  connection.exec(`PRAGMA max_page_count = ${Number(connection.pragma("page_count")) + 2}`);
  let thrown: unknown;
  try {
    for (let i = 0; i < 100; i++) connection.write("INSERT INTO notes VALUES (?)").run("x".repeat(4000));
  } catch (error) {
    thrown = asStorageError(error, folder.path);
  }
  expect(isCredenceError(thrown, "storage.disk-full")).toBe(true);
  expect(connection.read<{ text: string }>("SELECT text FROM notes LIMIT 1").get()).toEqual({ text: "kept" });
  connection.close();
  folder.remove();
});
