import type { ConversationId, MessageId, TurnEvent, TurnId } from "../contract/index.ts";
import { TurnEvent as TurnEventSchema } from "../contract/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

type WithoutBase<Event> = Event extends TurnEvent ? Omit<Event, "turnId" | "conversationId" | "seq" | "at"> : never;
/** A turn event before the trail has numbered and dated it. */
export type NewTurnEvent = WithoutBase<TurnEvent>;

export interface TrailKey {
  readonly turnId: TurnId;
  readonly conversationId: ConversationId;
  /** The answer that the turn writes. */
  readonly messageId: MessageId;
}

/** The events of one turn, numbered from 1 without gaps. */
export interface Trail {
  add(event: NewTurnEvent): TurnEvent;
  /** Milliseconds on the monotonic clock when the last event was added. */
  readonly lastAt: number;
}

export interface Trails {
  /** `resume` goes on with the numbering of a turn that has ended. */
  open(key: TrailKey, options?: { resume?: boolean }): Trail;
  /** Events after `afterSeq` of a turn that runs or has just ended; from disk otherwise, without tokens. */
  replay(turnId: TurnId, afterSeq: number): { events: TurnEvent[]; ended: boolean };
  /** The conversation of a stored turn; null for an unknown one. */
  conversationOf(turnId: TurnId): ConversationId | null;
  ofMessage(messageId: MessageId): { turnId: TurnId | null; events: TurnEvent[] };
  /** Gives turns that a crash left open their end. Returns how many. */
  closeOpen(): number;
}

/** Streamed text is in the message, and a heartbeat means nothing afterwards: both stay out of the stored trail. */
const UNSTORED: ReadonlySet<TurnEvent["type"]> = new Set(["turn.token", "turn.heartbeat"]);

/** Whole event lists (tokens included) kept in memory: running turns and the last few that ended. */
const KEPT_ENDED = 8;

export interface TrailsDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (event: TurnEvent) => void;
}

export function createTrails({ db, clock, log, publish }: TrailsDeps): Trails {
  const live = new Map<TurnId, TurnEvent[]>();

  function store(key: TrailKey, event: TurnEvent, row: number): void {
    db.write(
      "INSERT OR REPLACE INTO turn_events (turn_id, seq, conversation_id, message_id, at, event) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(event.turnId, row, event.conversationId, key.messageId, event.at, JSON.stringify(event));
  }

  /** A full disk must not keep the window from hearing what happens. */
  function storeOrLog(key: TrailKey, event: TurnEvent, row: number): void {
    try {
      store(key, event, row);
    } catch (thrown) {
      log.error("trail.not-stored", {
        type: event.type,
        reason: thrown instanceof Error ? thrown.message : String(thrown),
      });
    }
  }

  function forgetOldest(): void {
    const ended = [...live].filter(([, events]) => events.some((event) => event.type === "turn.ended"));
    for (const [turnId] of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) live.delete(turnId);
  }

  /** The stored events of one turn, numbered anew without the gaps that unstored events left. */
  function stored(where: "turn_id = ?" | "message_id = ?", id: string): TurnEvent[] {
    return db
      .read<{ event: string }>(`SELECT event FROM turn_events WHERE ${where} ORDER BY turn_id, seq`)
      .all(id)
      .flatMap((row) => readEvent(row.event) ?? [])
      .map((event, i) => ({ ...event, seq: i + 1 }));
  }

  function lastRow(turnId: TurnId): number {
    return (
      db.read<{ last: number | null }>("SELECT max(seq) AS last FROM turn_events WHERE turn_id = ?").get(turnId)
        ?.last ?? 0
    );
  }

  return {
    open(key, options = {}) {
      const known = options.resume ? live.get(key.turnId) : undefined;
      const events = known ?? (options.resume ? stored("turn_id = ?", key.turnId) : []);
      const rowsAhead = options.resume && !known ? Math.max(0, lastRow(key.turnId) - events.length) : 0;
      if (!options.resume) live.set(key.turnId, events);
      let lastAt = clock.monotonic();
      return {
        get lastAt() {
          return lastAt;
        },
        add(event) {
          const numbered = {
            ...event,
            turnId: key.turnId,
            conversationId: key.conversationId,
            seq: events.length + 1,
            at: clock.now(),
          } as TurnEvent;
          events.push(numbered);
          lastAt = clock.monotonic();
          if (!UNSTORED.has(numbered.type)) storeOrLog(key, numbered, numbered.seq + rowsAhead);
          if (numbered.type === "turn.ended") forgetOldest();
          publish(numbered);
          return numbered;
        },
      };
    },
    replay(turnId, afterSeq) {
      const events = live.get(turnId) ?? stored("turn_id = ?", turnId);
      return {
        events: events.filter((event) => event.seq > afterSeq),
        ended: events.length === 0 || events.some((event) => event.type === "turn.ended"),
      };
    },
    conversationOf(turnId) {
      const row = db
        .read<{ conversation_id: ConversationId }>("SELECT conversation_id FROM turn_events WHERE turn_id = ? LIMIT 1")
        .get(turnId);
      return row?.conversation_id ?? null;
    },
    ofMessage(messageId) {
      const events = stored("message_id = ?", messageId);
      return { turnId: events[0]?.turnId ?? null, events };
    },
    closeOpen() {
      const open = db
        .read<{
          turn_id: TurnId;
          conversation_id: ConversationId;
          message_id: MessageId;
          last: number;
          first_at: number;
          last_at: number;
        }>(
          `SELECT turn_id, conversation_id, message_id, max(seq) AS last, min(at) AS first_at, max(at) AS last_at FROM turn_events
           GROUP BY turn_id HAVING sum(event LIKE '%"type":"turn.ended"%') = 0`,
        )
        .all()
        .filter((row) => !live.has(row.turn_id));
      for (const row of open) {
        const event: TurnEvent = {
          type: "turn.ended",
          turnId: row.turn_id,
          conversationId: row.conversation_id,
          seq: row.last + 1,
          at: row.last_at,
          outcome: "interrupted",
          messageId: row.message_id,
          note: "Credence stopped in the middle of this turn. What was written is kept.",
          durationMs: row.last_at - row.first_at,
        };
        const key = { turnId: row.turn_id, conversationId: row.conversation_id, messageId: row.message_id };
        store(key, event, event.seq);
      }
      return open.length;
    },
  };
}

/** An event of an older or damaged row that no longer fits the schema is left out, not thrown over. */
function readEvent(text: string): TurnEvent | null {
  try {
    const parsed = TurnEventSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
