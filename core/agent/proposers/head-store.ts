import { z } from "zod";
import type { WritableDatabase } from "../../storage/index.ts";
import { ACTIONS } from "./head.ts";
import type { HeadStore } from "./router.ts";

const Stored = z.object({
  inputs: z.number().int().positive(),
  weights: z.array(z.array(z.number())).length(ACTIONS.length),
});

/** Heads learned on this machine. A damaged row counts as none; a database that cannot be written keeps nothing. */
export function headStore(db: WritableDatabase): HeadStore {
  return {
    get(embedderId) {
      const row = db.read<{ head: string }>("SELECT head FROM routing_heads WHERE embedder_id = ?").get(embedderId);
      if (!row) return null;
      try {
        const head = Stored.parse(JSON.parse(row.head));
        return head.weights.every((weights) => weights.length === head.inputs + 1) ? head : null;
      } catch {
        return null;
      }
    },
    put(embedderId, head) {
      if (!db.writable) return;
      db.write(
        "INSERT INTO routing_heads (embedder_id, head) VALUES (?, ?) ON CONFLICT (embedder_id) DO UPDATE SET head = excluded.head",
      ).run(embedderId, JSON.stringify(head));
    },
  };
}
