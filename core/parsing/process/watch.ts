import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/**
 * Watches the memory of the whole process, wasm and buffers included, from a thread of its own: a parser that is busy
 * in one long call cannot look after itself. Over the limit it leaves a note for the parent and ends the process.
 */
export function startWatch(): { limit(megabytes: number): void } {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(watcher, {
    eval: true,
    workerData: { shared, note: memoryNotePath(process.pid), parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  worker.unref();
  return {
    limit(megabytes) {
      Atomics.store(shared, 0, Math.floor(megabytes));
    },
  };
}

/** Written by a process right before it ends itself for memory, so that its parent can tell this from a crash. */
export function memoryNotePath(pid: number): string {
  return join(tmpdir(), `credence-parser-${pid}.memory`);
}

const watcher = `
const { workerData } = require("node:worker_threads");
const { writeFileSync } = require("node:fs");
setInterval(() => {
  // An orphan that is busy would never hear that its parent is gone.
  if (process.platform !== "win32" && process.ppid !== workerData.parent) process.kill(process.pid, "SIGKILL");
  const limit = Atomics.load(workerData.shared, 0);
  if (limit <= 0 || process.memoryUsage.rss() < limit * 1048576) return;
  try { writeFileSync(workerData.note, String(limit)); } catch {}
  process.kill(process.pid, "SIGKILL");
}, 60);
`;
