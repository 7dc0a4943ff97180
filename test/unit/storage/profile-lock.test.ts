import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isCredenceError } from "../../../core/contract/index.ts";
import { holderOf, lockProfile } from "../../../core/storage/index.ts";
import { temporaryFolder } from "../../support/profile.ts";

test("a profile held by a living process is refused with its number; a dead one's lock is taken over", async () => {
  const folder = temporaryFolder();
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  writeFileSync(join(folder.path, "credence.lock"), `${other.pid}\n`);
  let thrown: unknown;
  try {
    lockProfile(folder.path);
  } catch (error) {
    thrown = error;
  }
  expect(isCredenceError(thrown, "storage.profile-in-use") && thrown.facts.pid).toBe(other.pid);
  const gone = new Promise((done) => other.once("exit", done));
  other.kill("SIGKILL");
  await gone;
  const unlock = lockProfile(folder.path);
  expect(holderOf(folder.path)).toBe(process.pid);
  unlock();
  expect(existsSync(join(folder.path, "credence.lock"))).toBe(false);
  folder.remove();
});
