import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, inject, test } from "vitest";
import { chat as words } from "../../renderer/words/chat.ts";
import { frame } from "../../renderer/words/frame.ts";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");

afterEach(cleanUp);

async function failedStart(app: RunningApp): Promise<string> {
  await app.page.getByText(frame.startFailed).waitFor();
  const text = ((await app.page.locator("body").textContent()) ?? "").trim();
  expect(text).not.toMatch(/\bat .*:\d+:\d+|Error:|SQLITE_|EACCES|ENOTDIR/);
  return text;
}

test("a data folder that cannot be written is explained, and the app quits from there", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "taken"), "a file stands where the folder should be");
  const app = await launch({ executable, dataDir: join(folder, "taken") });
  expect(await failedStart(app)).toContain(join(folder, "taken"));
  const gone = app.exited();
  await app.page.getByRole("button", { name: frame.quit }).click();
  await gone;
});

test("a database of a newer version is left as it is, and said so", async () => {
  const dataDir = temporaryFolder();
  const first = await launch({ executable, dataDir, firstStartDone: true });
  await first.quit();
  const file = join(dataDir, "credence.db");
  const db = new Database(file);
  db.pragma("user_version = 9999");
  db.close();
  const app = await launch({ executable, dataDir });
  expect(await failedStart(app)).toMatch(/newer/);
  await app.quit();
  const after = new Database(file, { readonly: true });
  expect(after.pragma("user_version", { simple: true })).toBe(9999);
  after.close();
});

test("a start that failed works again once the reason is gone", async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, "profile");
  mkdirSync(dataDir);
  // A folder where the database file should be.
  mkdirSync(join(dataDir, "credence.db"));
  const app = await launch({ executable, dataDir });
  await failedStart(app);
  rmSync(join(dataDir, "credence.db"), { recursive: true });
  await app.page.getByRole("button", { name: /again/i }).click();
  await app.chat.begin();
});

test("a damaged database opens read-only: everything can be read, nothing is changed, and the user is told", async () => {
  const dataDir = temporaryFolder();
  const first = await launch({ executable, dataDir, firstStartDone: true });
  await first.quit();
  const file = join(dataDir, "credence.db");
  const db = new Database(file);
  const now = Date.now();
  db.prepare("INSERT INTO conversations (id, title, titled, created_at, updated_at) VALUES (?, ?, 1, ?, ?)").run(
    "con_kept",
    "Kept in spite of all",
    now,
    now,
  );
  db.prepare(
    "INSERT INTO messages (id, conversation_id, role, content, state, created_at) VALUES (?, ?, 'user', ?, 'complete', ?)",
  ).run("msg_kept", "con_kept", "Is this still readable?", now);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const page = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'messages_streaming'")
    .pluck()
    .get() as number;
  const size = db.pragma("page_size", { simple: true }) as number;
  db.close();
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(descriptor);

  const app = await launch({ executable, dataDir });
  expect((await app.call("app.startup", {})).state).toBe("ready");
  expect((await app.call("app.info", {})).readOnly).not.toBeNull();
  expect((await app.callError("conversations.create", {}))?.kind).toBe("storage.read-only");
  await app.chat.rows.first().click();
  await app.chat.questions.getByText("Is this still readable?").waitFor();
  await app.page.getByText(words.readOnlyTitle).first().waitFor();
});

test("a request to end, as a system sends it at log-out, closes in order", async () => {
  const dataDir = temporaryFolder();
  const app = await launch({ executable, dataDir, firstStartDone: true });
  await app.chat.ask("Write a long story about a lighthouse keeper and the sea.");
  await app.chat.waitForWords(10);
  const gone = app.exited();
  process.kill(app.pid, "SIGTERM");
  await gone;
  expect(app.electron.process().signalCode).toBeNull();
  const db = new Database(join(dataDir, "credence.db"), { readonly: true });
  const states = db.prepare("SELECT state FROM messages WHERE role = 'assistant'").pluck().all();
  db.close();
  expect(states).toEqual(["interrupted"]);
});

test("a second start hands its files to the first, focuses it, and ends", async () => {
  const dataDir = temporaryFolder();
  const app = await launch({ executable, dataDir, firstStartDone: true });
  await app.listen();
  const file = join(temporaryFolder(), "mödel one.gguf");
  writeFileSync(file, "not a model");
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const second = spawn(executable, [...sandbox, "--data-dir", dataDir, file], { stdio: "ignore" });
  const code = await new Promise((resolve) => second.on("exit", resolve));
  expect(code).toBe(0);
  await app.page.waitForFunction(() =>
    (window as unknown as { seen: { type: string }[] }).seen.some((event) => event.type === "shell.files"),
  );
  const given = (await app.events()).find((event) => event.type === "shell.files");
  expect(given).toEqual({ type: "shell.files", paths: [file] });
});

test("the window comes back where and as large as it was", async () => {
  const dataDir = temporaryFolder();
  let app = await launch({ executable, dataDir, firstStartDone: true });
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.setBounds({ x: 40, y: 30, width: 1100, height: 720 }),
  );
  await app.quit();
  app = await launch({ executable, dataDir });
  const bounds = await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds());
  expect([bounds.width, bounds.height]).toEqual([1100, 720]);
});
