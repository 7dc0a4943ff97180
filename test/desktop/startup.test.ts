import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, inject, test } from "vitest";
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
