import { z } from "zod";
import type { WritableDatabase } from "../storage/index.ts";

const Stored = z.object({ paused: z.boolean().catch(false), tokensPerHour: z.number().int().min(0).catch(20_000) });
const KEY = "ingest";

/** Whether the queue is paused and what it may spend an hour, kept beside the other settings. */
export function queueSettings(db: WritableDatabase) {
  const get = (): z.output<typeof Stored> => {
    const row = db.read<{ value: string }>("SELECT value FROM settings WHERE key = ?").get(KEY);
    try {
      return Stored.parse(JSON.parse(row?.value ?? "{}"));
    } catch {
      return Stored.parse({});
    }
  };
  return {
    get,
    set(change: Partial<z.output<typeof Stored>>): void {
      db.write(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      ).run(KEY, JSON.stringify({ ...get(), ...change }));
    },
  };
}
