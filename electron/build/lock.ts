import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./paths.ts";

const pollMs = 250;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Takes the lock file if it is free or its holder is gone. */
function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  let holder = 0;
  try {
    holder = Number(readFileSync(file, "utf8"));
  } catch {
    // Released between the two calls.
    return false;
  }
  if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
  return false;
}

/** Runs `work` while no other process on this machine runs one under the same name in this project. */
export async function withLock<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  mkdirSync(cacheDir, { recursive: true });
  const file = join(cacheDir, `${name}.lock`);
  while (!take(file)) await new Promise((resolve) => setTimeout(resolve, pollMs));
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
