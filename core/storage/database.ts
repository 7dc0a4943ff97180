import Database from "better-sqlite3";
import * as sqliteVec from "sqlite-vec";

/**
 * Reading and writing databases differ in type: a function that takes a `ReadableDatabase` cannot change anything.
 * Both are the same better-sqlite3 connection underneath, and every call is synchronous: keep transactions short.
 */
export interface ReadableDatabase {
  readonly writable: boolean;
  /** Prepares and keeps a statement; the same text gives the same statement. */
  read<Row>(sql: string): ReadStatement<Row>;
}

export interface ReadStatement<Row> {
  get(...params: unknown[]): Row | undefined;
  all(...params: unknown[]): Row[];
  iterate(...params: unknown[]): IterableIterator<Row>;
}

export interface WriteStatement {
  run(...params: unknown[]): { changes: number; lastInsertRowid: number | bigint };
}

export interface WritableDatabase extends ReadableDatabase {
  write(sql: string): WriteStatement;
  /** Runs several statements without parameters (migrations, PRAGMA). */
  exec(sql: string): void;
  /** Runs `work` in one immediate transaction; a throw rolls everything back. Nested calls become savepoints. */
  transaction<Value>(work: () => Value): Value;
}

/** Where the native parts lie; both default to what their packages find by themselves. */
export interface NativePaths {
  /** better-sqlite3's addon, for runtimes whose Node is too old for the packaged prebuild. */
  readonly betterSqlite3?: string | undefined;
  /** sqlite-vec's loadable extension, for packaged apps (outside the asar archive). */
  readonly sqliteVec?: string | undefined;
}

/** An open connection. Owned by the composition root; features get one of the two narrower types. */
export class Connection implements WritableDatabase {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly writable: boolean;
  readonly path: string;

  constructor(path: string, options: { readonly?: boolean; native?: NativePaths } = {}) {
    this.path = path;
    this.writable = !options.readonly;
    this.#db = new Database(path, {
      readonly: options.readonly ?? false,
      fileMustExist: options.readonly ?? false,
      ...(options.native?.betterSqlite3 ? { nativeBinding: options.native.betterSqlite3 } : {}),
    });
    // The busy timeout goes first: every later statement, the switch to WAL included, may meet another process's lock.
    this.#db.pragma("busy_timeout = 5000");
    this.#db.loadExtension(options.native?.sqliteVec ?? sqliteVec.getLoadablePath());
    if (this.writable) {
      this.#db.pragma("journal_mode = WAL");
      this.#db.pragma("synchronous = NORMAL");
    }
    this.#db.pragma("foreign_keys = ON");
    this.#db.pragma("temp_store = MEMORY");
    this.#db.pragma("cache_size = -32768");
    this.#db.pragma("mmap_size = 268435456");
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  read<Row>(sql: string): ReadStatement<Row> {
    return this.#prepare(sql) as unknown as ReadStatement<Row>;
  }

  write(sql: string): WriteStatement {
    return this.#prepare(sql);
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  transaction<Value>(work: () => Value): Value {
    return this.#db.transaction(work).immediate();
  }

  /** One value of a PRAGMA. */
  pragma(text: string): unknown {
    return this.#db.pragma(text, { simple: true });
  }

  /** Copies the live database to `path`, page by page, without stopping writers. */
  async backup(path: string): Promise<void> {
    await this.#db.backup(path);
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.open) this.#db.close();
  }
}
