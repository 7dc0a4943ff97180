import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CredenceError } from "../contract/index.ts";
import { asStorageError } from "./open.ts";

const FILE = "credence.lock";

/**
 * Says whose profile this is while Credence runs. A lock whose process is gone (kill -9) is taken over.
 * Throws `storage.profile-in-use` while another process holds it.
 */
export function lockProfile(dataDir: string): () => void {
  const path = join(dataDir, FILE);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      // "wx" is the atomic part: of two processes only one makes the file.
      writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
      return () => {
        if (holderOf(dataDir) === process.pid) rmSync(path, { force: true });
      };
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST"))
        throw asStorageError(thrown, dataDir);
      const pid = holderOf(dataDir);
      if (pid !== null && pid !== process.pid && isAlive(pid)) {
        throw new CredenceError("storage.profile-in-use", { folder: dataDir, pid });
      }
      rmSync(path, { force: true });
    }
  }
  throw new CredenceError("storage.busy", { folder: dataDir });
}

/** The process that holds the profile, or null. */
export function holderOf(dataDir: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, FILE), "utf8"), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
