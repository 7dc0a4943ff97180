/** The ledger of requests: a row is written before anything is sent, and completed when the answer has ended. */
import { EgressPurpose, type LedgerEntry, type LedgerTotal } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { ReadableDatabase, WritableDatabase } from "../storage/index.ts";
import { PURPOSES } from "./purposes.ts";

export interface Opening {
  readonly purpose: EgressPurpose;
  readonly host: string;
  readonly method: string;
  readonly what: string;
  readonly agreedBy: string;
}

export interface Closing {
  readonly outcome: "ok" | "failed";
  readonly status: number | null;
  readonly bytesUp: number;
  readonly bytesDown: number;
}

interface Row {
  id: number;
  at: number;
  purpose: string;
  host: string;
  method: string;
  what: string;
  agreed_by: string;
  outcome: LedgerEntry["outcome"];
  status: number | null;
  bytes_up: number;
  bytes_down: number;
  duration_ms: number | null;
}

export interface PurposeTotal {
  readonly requests: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly lastAt: number | null;
}

export class Ledger {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Writes a request down; nothing may be sent before this returns. */
  open(opening: Opening): number {
    return this.#insert(opening, "sending");
  }

  /** Writes down a request that was not sent, because it was not part of what the user agreed to. */
  refuse(opening: Opening): number {
    return this.#insert(opening, "refused");
  }

  close(id: number, closing: Closing): void {
    const at = this.#db.read<{ at: number }>("SELECT at FROM egress_ledger WHERE id = ?").get(id)?.at ?? 0;
    this.#db
      .write(
        "UPDATE egress_ledger SET outcome = ?, status = ?, bytes_up = ?, bytes_down = ?, duration_ms = ? WHERE id = ?",
      )
      .run(
        closing.outcome,
        closing.status,
        Math.round(closing.bytesUp),
        Math.round(closing.bytesDown),
        Math.max(0, Math.round(this.#clock.now() - at)),
        id,
      );
  }

  /** Requests whose end was never written down, because Credence ended first, count as failed after an hour. */
  closeForgotten(): void {
    this.#db
      .write("UPDATE egress_ledger SET outcome = 'failed' WHERE outcome = 'sending' AND at < ?")
      .run(this.#clock.now() - 3_600_000);
  }

  /** Says more of what a request was for, once its answer is known: "River gauge bulletin, 3 new". */
  describe(id: number, what: string): void {
    this.#db.write("UPDATE egress_ledger SET what = ? WHERE id = ?").run(what.slice(0, 300), id);
  }

  /** Requests that were sent, refused ones left out. */
  requestsEver(): number {
    return this.#count("SELECT count(*) AS n FROM egress_ledger WHERE outcome <> 'refused'");
  }

  requestsToday(): { purpose: EgressPurpose; requests: number }[] {
    return this.#db
      .read<{ purpose: string; n: number }>(
        "SELECT purpose, count(*) AS n FROM egress_ledger WHERE day = ? AND outcome <> 'refused' GROUP BY purpose ORDER BY n DESC",
      )
      .all(localDay(this.#clock.now()))
      .map(({ purpose, n }) => ({ purpose: EgressPurpose.parse(purpose), requests: n }));
  }

  totalOf(purpose: EgressPurpose | null): PurposeTotal {
    const row = this.#db
      .read<{ n: number; up: number; down: number; last: number | null }>(
        `SELECT count(*) AS n, coalesce(sum(bytes_up), 0) AS up, coalesce(sum(bytes_down), 0) AS down, max(at) AS last
         FROM egress_ledger WHERE outcome <> 'refused' AND (? IS NULL OR purpose = ?)`,
      )
      .get(purpose, purpose);
    return { requests: row?.n ?? 0, bytesUp: row?.up ?? 0, bytesDown: row?.down ?? 0, lastAt: row?.last ?? null };
  }

  page(options: { before?: number | null; limit?: number; purpose?: EgressPurpose; host?: string }) {
    const limit = options.limit ?? 100;
    const conditions: string[] = [];
    const params: (string | number)[] = [];
    if (options.purpose) {
      conditions.push("purpose = ?");
      params.push(options.purpose);
    }
    if (options.host) {
      conditions.push("host = ?");
      params.push(options.host);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
    const total = this.#count(`SELECT count(*) AS n FROM egress_ledger ${where}`, ...params);
    const older = options.before == null ? where : `WHERE ${[...conditions, "id < ?"].join(" AND ")}`;
    const rows = this.#db
      .read<Row>(`SELECT * FROM egress_ledger ${older} ORDER BY id DESC LIMIT ?`)
      .all(...params, ...(options.before == null ? [] : [options.before]), limit + 1);
    return { entries: rows.slice(0, limit).map(entryOf), total, hasOlder: rows.length > limit };
  }

  totals(by: "host" | "day", limit = 100): LedgerTotal[] {
    const column = by === "host" ? "host" : "day";
    return readTotals(this.#db, column, limit);
  }

  #insert(opening: Opening, outcome: "sending" | "refused"): number {
    const now = this.#clock.now();
    const { lastInsertRowid } = this.#db
      .write(
        "INSERT INTO egress_ledger (at, day, purpose, host, method, what, agreed_by, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        now,
        localDay(now),
        opening.purpose,
        opening.host,
        opening.method,
        opening.what.slice(0, 300),
        opening.agreedBy,
        outcome,
      );
    return Number(lastInsertRowid);
  }

  #count(sql: string, ...params: (string | number)[]): number {
    return this.#db.read<{ n: number }>(sql).get(...params)?.n ?? 0;
  }
}

function readTotals(db: ReadableDatabase, column: "host" | "day", limit: number): LedgerTotal[] {
  const order = column === "day" ? "key DESC" : "requests DESC, key";
  return db
    .read<{ key: string; requests: number; refused: number; up: number; down: number; last: number; purposes: string }>(
      `SELECT ${column} AS key, sum(outcome <> 'refused') AS requests, sum(outcome = 'refused') AS refused,
              sum(bytes_up) AS up, sum(bytes_down) AS down, max(at) AS last, group_concat(DISTINCT purpose) AS purposes
       FROM egress_ledger GROUP BY ${column} ORDER BY ${order} LIMIT ?`,
    )
    .all(limit)
    .map((row) => ({
      key: row.key,
      requests: row.requests,
      refused: row.refused,
      bytesUp: row.up,
      bytesDown: row.down,
      lastAt: row.last,
      purposes: row.purposes.split(",").map((purpose) => EgressPurpose.parse(purpose)),
    }));
}

function entryOf(row: Row): LedgerEntry {
  const purpose = EgressPurpose.parse(row.purpose);
  return {
    id: row.id,
    at: row.at,
    purpose,
    title: PURPOSES[purpose].title,
    host: row.host,
    method: row.method,
    what: row.what,
    agreedBy: row.agreed_by,
    outcome: row.outcome,
    status: row.status,
    bytesUp: row.bytes_up,
    bytesDown: row.bytes_down,
    durationMs: row.duration_ms,
  };
}

/** The local day of a time, as "2026-11-27". */
export function localDay(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
