import { z } from "zod";
import { CredenceError, McpTransport } from "../../contract/index.ts";
import { type Clock, newId } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import type { SafetyClass } from "../types.ts";

export interface StoredServer {
  readonly id: string;
  readonly name: string;
  readonly transport: McpTransport;
  readonly enabled: boolean;
  /** The user's class for a tool, by the server's name for it; what is not named is sensitive. */
  readonly safety: Readonly<Record<string, SafetyClass>>;
}

interface Row {
  id: string;
  name: string;
  transport: string;
  enabled: number;
  safety: string;
}

const Safety = z.record(z.string(), z.enum(["safe", "sensitive", "destructive"]));

/** The tool servers that the user set up. */
export class McpStore {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Rows that cannot be read any more are left out, not deleted. */
  list(): StoredServer[] {
    return this.#db
      .read<Row>("SELECT id, name, transport, enabled, safety FROM mcp_servers ORDER BY created_at, id")
      .all()
      .flatMap((row) => {
        const transport = McpTransport.safeParse(json(row.transport));
        if (!transport.success) return [];
        const safety = Safety.safeParse(json(row.safety));
        return [
          {
            id: row.id,
            name: row.name,
            transport: transport.data,
            enabled: row.enabled === 1,
            safety: safety.success ? safety.data : {},
          },
        ];
      });
  }

  /** Throws `general.not-found`. */
  get(id: string): StoredServer {
    const found = this.list().find((server) => server.id === id);
    if (!found) throw new CredenceError("general.not-found", { what: "tool server", id });
    return found;
  }

  /** Throws `mcp.name-taken`. */
  add(name: string, transport: McpTransport, enabled: boolean): StoredServer {
    if (this.list().some((server) => server.name.toLowerCase() === name.toLowerCase())) {
      throw new CredenceError("mcp.name-taken", { name });
    }
    const now = this.#clock.now();
    const id = newId("mcp", now);
    this.#db
      .write("INSERT INTO mcp_servers (id, name, transport, enabled, created_at) VALUES (?, ?, ?, ?, ?)")
      .run(id, name, JSON.stringify(transport), enabled ? 1 : 0, now);
    return this.get(id);
  }

  setEnabled(id: string, enabled: boolean): StoredServer {
    this.#db.write("UPDATE mcp_servers SET enabled = ? WHERE id = ?").run(enabled ? 1 : 0, id);
    return this.get(id);
  }

  setSafety(id: string, tool: string, safety: SafetyClass): StoredServer {
    const next = { ...this.get(id).safety, [tool]: safety };
    this.#db.write("UPDATE mcp_servers SET safety = ? WHERE id = ?").run(JSON.stringify(next), id);
    return this.get(id);
  }

  remove(id: string): void {
    this.#db.write("DELETE FROM mcp_servers WHERE id = ?").run(id);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
