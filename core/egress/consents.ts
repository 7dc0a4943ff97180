/** What the user agreed to, kept for good. Nothing is allowed until it says so. */
import type { EgressPurpose } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

/** The row that keeps Credence off the network altogether. */
const CUT = "cut";

export class Consents {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  state(purpose: EgressPurpose): { allowed: boolean; decidedAt: number | null } {
    const row = this.#row(purpose);
    return { allowed: row?.allowed === 1, decidedAt: row?.decided_at ?? null };
  }

  set(purpose: EgressPurpose, allowed: boolean): void {
    this.#put(purpose, allowed);
  }

  cut(): boolean {
    return this.#row(CUT)?.allowed === 1;
  }

  setCut(cut: boolean): void {
    this.#put(CUT, cut);
  }

  #row(key: string) {
    return this.#db
      .read<{ allowed: number; decided_at: number }>(
        "SELECT allowed, decided_at FROM egress_consents WHERE purpose = ?",
      )
      .get(key);
  }

  #put(key: string, allowed: boolean): void {
    this.#db
      .write(
        "INSERT INTO egress_consents (purpose, allowed, decided_at) VALUES (?, ?, ?) ON CONFLICT (purpose) DO UPDATE SET allowed = excluded.allowed, decided_at = excluded.decided_at",
      )
      .run(key, allowed ? 1 : 0, this.#clock.now());
  }
}
