/** The list of installed models, kept in the database; without a writable one (rescue), in memory alone. */
import { z } from "zod";
import { CredenceError, InstalledModel, type ModelId } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import { newId } from "../platform/index.ts";
import type { ReadableDatabase, WritableDatabase } from "../storage/index.ts";
import type { ModelFacts } from "./model-facts.ts";

export type ModelProfile = NonNullable<InstalledModel["profile"]>;

export interface ModelRecord {
  readonly id: ModelId;
  readonly path: string;
  readonly starter: boolean;
  /** The file lies in Credence's own folder and goes when the model is removed. */
  readonly copied: boolean;
  readonly active: boolean;
  readonly fingerprint: string;
  readonly facts: ModelFacts;
  readonly licence: string | null;
  /** Why it could not be loaded the last time. */
  readonly problem: string | null;
  readonly tokensPerSecond: number | null;
  readonly profile: ModelProfile | null;
  readonly addedAt: number;
}

const Facts = z.object({
  name: z.string(),
  role: z.enum(["chat", "embed", "rerank"]),
  architecture: z.string(),
  parameters: z.number(),
  quantization: z.string().nullable(),
  trainedContext: z.number(),
  licence: z.string().nullable(),
  sizeBytes: z.number(),
  layers: z.number(),
  embeddingLength: z.number(),
  feedForwardLength: z.number(),
  vocabulary: z.number(),
  cacheBytesPerToken: z.number(),
  supportsTools: z.boolean(),
  reasons: z.boolean(),
});

interface Row {
  id: string;
  path: string;
  starter: number;
  copied: number;
  active: number;
  fingerprint: string;
  facts: string;
  licence: string | null;
  problem: string | null;
  tokens_per_second: number | null;
  profile: string | null;
  added_at: number;
}

export type NewModel = Pick<ModelRecord, "path" | "starter" | "copied" | "fingerprint" | "facts" | "licence">;

export class ModelStore {
  readonly #db: ReadableDatabase | WritableDatabase;
  readonly #clock: Clock;
  #records: ModelRecord[];

  constructor(db: ReadableDatabase | WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    // A row that cannot be understood is left out, not an obstacle: the file is still there to be added again.
    this.#records = db.read<Row>("SELECT * FROM models ORDER BY starter DESC, added_at, id").all().flatMap(fromRow);
  }

  list(): readonly ModelRecord[] {
    return this.#records;
  }

  find(id: ModelId): ModelRecord | null {
    return this.#records.find((record) => record.id === id) ?? null;
  }

  /** Throws `general.not-found`. */
  get(id: ModelId): ModelRecord {
    const record = this.find(id);
    if (!record) throw new CredenceError("general.not-found", { what: "model", id });
    return record;
  }

  byPath(path: string): ModelRecord | null {
    return this.#records.find((record) => record.path === path) ?? null;
  }

  active(role: "chat" | "embed"): ModelRecord | null {
    return this.#records.find((record) => record.active && record.facts.role === role) ?? null;
  }

  /** Adds a model, or refreshes what is known of the one at the same path. The first of its role comes into use. */
  put(model: NewModel): ModelRecord {
    const known = this.byPath(model.path);
    const same = known?.fingerprint === model.fingerprint;
    const record: ModelRecord = {
      id: known?.id ?? (newId("model", this.#clock.now()) as ModelId),
      active: known?.active ?? !this.#records.some((other) => other.active && other.facts.role === model.facts.role),
      problem: null,
      tokensPerSecond: same ? known.tokensPerSecond : null,
      profile: same ? known.profile : null,
      addedAt: known?.addedAt ?? this.#clock.now(),
      ...model,
    };
    this.#write(() => {
      this.#writable()
        .write(
          `INSERT INTO models (id, path, role, starter, copied, active, fingerprint, facts, licence, problem, tokens_per_second, profile, added_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET path = excluded.path, role = excluded.role, starter = excluded.starter, copied = excluded.copied,
             active = excluded.active, fingerprint = excluded.fingerprint, facts = excluded.facts, licence = excluded.licence,
             problem = excluded.problem, tokens_per_second = excluded.tokens_per_second, profile = excluded.profile`,
        )
        .run(...toRow(record));
    });
    this.#records = known
      ? this.#records.map((other) => (other.id === record.id ? record : other))
      : [...this.#records, record];
    return record;
  }

  /** Brings one model into use; the one of its role before it goes out. */
  use(id: ModelId): ModelRecord {
    const { role } = this.get(id).facts;
    this.#write(() => {
      const db = this.#writable();
      db.transaction(() => {
        db.write("UPDATE models SET active = 0 WHERE role = ?").run(role);
        db.write("UPDATE models SET active = 1 WHERE id = ?").run(id);
      });
    });
    this.#records = this.#records.map((record) =>
      record.facts.role === role ? { ...record, active: record.id === id } : record,
    );
    return this.get(id);
  }

  /** Changes what was learned of a model. */
  learn(
    id: ModelId,
    learned: Partial<Pick<ModelRecord, "path" | "copied" | "problem" | "tokensPerSecond" | "profile">>,
  ): void {
    if (!this.find(id)) return;
    this.#records = this.#records.map((record) => (record.id === id ? { ...record, ...learned } : record));
    const record = this.get(id);
    this.#write(() => {
      this.#writable()
        .write("UPDATE models SET path = ?, copied = ?, problem = ?, tokens_per_second = ?, profile = ? WHERE id = ?")
        .run(
          record.path,
          Number(record.copied),
          record.problem,
          record.tokensPerSecond,
          record.profile && JSON.stringify(record.profile),
          id,
        );
    });
  }

  /** Forgets a model; when it was in use, the first other one of its role comes into use. */
  remove(id: ModelId): void {
    const record = this.get(id);
    this.#write(() => {
      this.#writable().write("DELETE FROM models WHERE id = ?").run(id);
    });
    this.#records = this.#records.filter((other) => other.id !== id);
    const next = this.#records.find((other) => other.facts.role === record.facts.role);
    if (record.active && next) this.use(next.id);
  }

  #writable(): WritableDatabase {
    return this.#db as WritableDatabase;
  }

  #write(work: () => void): void {
    if (this.#db.writable) work();
  }
}

function toRow(record: ModelRecord): unknown[] {
  return [
    record.id,
    record.path,
    record.facts.role,
    Number(record.starter),
    Number(record.copied),
    Number(record.active),
    record.fingerprint,
    JSON.stringify(record.facts),
    record.licence,
    record.problem,
    record.tokensPerSecond,
    record.profile && JSON.stringify(record.profile),
    record.addedAt,
  ];
}

function fromRow(row: Row): ModelRecord[] {
  const facts = Facts.safeParse(parse(row.facts));
  if (!facts.success) return [];
  const profile = InstalledModel.shape.profile.safeParse(row.profile === null ? null : parse(row.profile));
  return [
    {
      id: row.id as ModelId,
      path: row.path,
      starter: row.starter === 1,
      copied: row.copied === 1,
      active: row.active === 1,
      fingerprint: row.fingerprint,
      facts: facts.data,
      licence: row.licence,
      problem: row.problem,
      tokensPerSecond: row.tokens_per_second,
      profile: profile.success ? profile.data : null,
      addedAt: row.added_at,
    },
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
