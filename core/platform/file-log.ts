import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "./log.ts";

const MAX_BYTES = 2_000_000;

/** One JSON line an entry in `dataDir/logs/credence.log`; the file before is kept as `.1`. Logging never throws. */
export function fileLog(dataDir: string, now: () => number): Log {
  const folder = join(dataDir, "logs");
  const path = join(folder, "credence.log");
  let bytes: number | null = null;

  function write(level: string, event: string, facts: Record<string, unknown> = {}): void {
    try {
      if (bytes === null) {
        mkdirSync(folder, { recursive: true });
        bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (bytes > MAX_BYTES) {
        renameSync(path, `${path}.1`);
        bytes = 0;
      }
      const line = `${JSON.stringify({ at: new Date(now()).toISOString(), level, event, ...facts })}\n`;
      appendFileSync(path, line);
      bytes += Buffer.byteLength(line);
    } catch {
      // A full disk must not turn a log line into a failure of what was being logged.
    }
  }

  return {
    info: (event, facts) => write("info", event, facts),
    warn: (event, facts) => write("warn", event, facts),
    error: (event, facts) => write("error", event, facts),
  };
}
