import { contentId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { derivativeId, split, withoutRecalled } from "./derivatives.ts";
import { assistantSpeaker, type IndexItem, type PassageIndex } from "./types.ts";

/** One thing that somebody said. */
export interface Utterance {
  /** The message it is stored as; null where there is none (imported talk). */
  readonly messageId: string | null;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
}

export interface Episode {
  readonly kind: "exchange" | "finding" | "note";
  /** The conversation. */
  readonly sourceId: string;
  readonly title: string;
  readonly utterances: readonly Utterance[];
  /** Texts that were recalled for it: their repetition is not stored. */
  readonly recalled?: readonly string[];
}

/** Turns further apart than this are not each other's context. */
const sameSitting = 6 * 3_600_000;
/** Turns before and after whose words count for a turn. */
const reach = 2;

interface Piece {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
  readonly position: number;
  readonly title: string;
  readonly strength: number | null;
}

/** Stores episodes and keeps their pieces in the index, each with the turns around it as context. */
export class Episodes {
  readonly #db: WritableDatabase;
  readonly #index: PassageIndex;

  constructor(db: WritableDatabase, index: PassageIndex) {
    this.#db = db;
    this.#index = index;
  }

  /** Stores an episode; the same one again changes nothing. Returns the ids of its pieces, in order. */
  add(episode: Episode): string[] {
    const parts = episode.utterances.flatMap((said) => {
      const text =
        said.speaker === assistantSpeaker || episode.kind === "finding"
          ? withoutRecalled(said.text, episode.recalled ?? [])
          : said.text;
      const origin =
        said.messageId ??
        (episode.kind === "note" ? episode.sourceId : `${episode.sourceId}:${said.at}:${said.speaker}`);
      return split(text).map((piece, ordinal) => ({ said, piece, id: derivativeId(origin, ordinal, piece) }));
    });
    if (parts.length === 0) return [];
    const episodeId = contentId("ep", episode.sourceId, ...parts.map((part) => part.id));
    let pieces: Piece[] = [];
    this.#db.transaction(() => {
      const forgotten = this.#forgotten(parts.map((part) => part.id));
      const kept = parts.filter((part) => !forgotten.has(part.id));
      this.#db
        .write("INSERT OR IGNORE INTO episodes (id, kind, source_id, at, digest) VALUES (?, ?, ?, ?, ?)")
        .run(episodeId, episode.kind, episode.sourceId, Math.round(parts[0]!.said.at), episodeId);
      let next = this.#nextPosition(episode.sourceId);
      pieces = kept.map((part, ordinal) => {
        this.#db
          .write(
            "INSERT OR IGNORE INTO derivatives (id, episode_id, ordinal, role, message_id, text) VALUES (?, ?, ?, ?, ?, ?)",
          )
          .run(part.id, episodeId, ordinal, part.said.speaker, part.said.messageId, part.piece);
        const known = this.#db
          .read<{ position: number; strength: number | null }>("SELECT position, strength FROM passages WHERE id = ?")
          .get(part.id);
        return {
          id: part.id,
          speaker: part.said.speaker,
          text: part.piece,
          at: part.said.at,
          position: known?.position ?? next++,
          title: episode.title,
          strength: known?.strength ?? null,
        };
      });
    });
    if (episode.kind === "note") this.#putNotes(episode.sourceId, pieces);
    else this.#put(episode.sourceId, pieces);
    return pieces.map((piece) => piece.id);
  }

  /** Pieces whose memory the user deleted: processing the message again does not bring them back. */
  #forgotten(ids: readonly string[]): Set<string> {
    return new Set(
      this.#db
        .read<{ passage_id: string }>(
          "SELECT passage_id FROM memory_state WHERE deleted_at IS NOT NULL AND passage_id IN (SELECT value FROM json_each(?))",
        )
        .all(JSON.stringify(ids))
        .map((row) => row.passage_id),
    );
  }

  #nextPosition(sourceId: string): number {
    const row = this.#db
      .read<{ last: number | null }>(
        "SELECT max(position) AS last FROM passages WHERE source_id = ? AND kind = 'message'",
      )
      .get(sourceId);
    return (row?.last ?? -1) + 1;
  }

  /** What the user asked to remember belongs to no conversation: it is a memory of its own. */
  #putNotes(sourceId: string, pieces: readonly Piece[]): void {
    this.#index.put(
      pieces.map((piece) => ({
        id: piece.id,
        kind: "memory",
        sourceId,
        collectionId: null,
        text: piece.text,
        title: piece.title,
        place: "",
        at: piece.at,
        strength: piece.strength,
        speaker: piece.speaker,
      })),
    );
  }

  /** Puts new pieces and, because their context changed, the ones just before them. */
  #put(sourceId: string, pieces: readonly Piece[]): void {
    if (pieces.length === 0) return;
    const first = pieces[0]!.position;
    const last = pieces.at(-1)!.position;
    const neighbours = this.#db
      .read<Piece>(
        `SELECT id, speaker, text, at, position, title, strength FROM passages
         WHERE source_id = ? AND kind = 'message' AND position BETWEEN ? AND ? ORDER BY position`,
      )
      .all(sourceId, first - 2 * reach, last + 2 * reach);
    const byPosition = new Map(neighbours.map((piece) => [piece.position, piece]));
    for (const piece of pieces) byPosition.set(piece.position, piece);
    const items: IndexItem[] = [];
    for (let position = first - reach; position <= last + reach; position++) {
      const piece = byPosition.get(position);
      if (piece) items.push(toItem(sourceId, piece, byPosition));
    }
    this.#index.put(items);
  }
}

function toItem(sourceId: string, piece: Piece, all: ReadonlyMap<number, Piece>): IndexItem {
  const at = (offset: number) => {
    const other = all.get(piece.position + offset);
    return other && Math.abs(other.at - piece.at) <= sameSitting ? other : null;
  };
  const around: string[] = [];
  for (let offset = -reach; offset <= reach; offset++) {
    const other = offset === 0 ? null : at(offset);
    if (other) around.push(line(other));
  }
  const window = [at(-1), piece, at(1)].filter((turn) => turn !== null).map(line);
  return {
    id: piece.id,
    kind: "message",
    sourceId,
    collectionId: null,
    text: piece.text,
    title: piece.title,
    place: "",
    at: piece.at,
    strength: piece.strength,
    speaker: piece.speaker,
    position: piece.position,
    context: around.join("\n"),
    parts: window.length > 1 ? [{ role: "window", text: window.join("\n") }] : [],
  };
}

/** A turn as the context of another: long ones are cut, their beginning tells what they are about. */
function line(piece: Piece): string {
  return `${piece.speaker}: ${piece.text.slice(0, 600)}`;
}
