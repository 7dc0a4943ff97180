import type { WritableDatabase } from "../../storage/index.ts";
import { grams } from "../text/words.ts";
import { type IndexItem, type ItemKind, userSpeaker } from "../types.ts";
import { type PassageRow, passageColumns } from "./rows.ts";
import { dropVector, moveVector, type VectorSpace, vectorSpaces } from "./spaces.ts";

/** Words kept in the index of one passage; what lies behind is stored, and searched by meaning only. */
const maximumIndexedChars = 200_000;

/** Writes passages, their words and the parts that wait for a vector. Every call is one short transaction. */
export interface PassageStore {
  put(items: readonly IndexItem[]): number;
  remove(ids: readonly string[]): number;
  removeSource(kind: ItemKind, sourceId: string): number;
  /** Drops the vectors of passages and keeps their words. */
  archive(ids: readonly string[], archived: boolean): number;
}

export function createPassageStore(db: WritableDatabase): PassageStore {
  const find = `SELECT ${passageColumns} FROM passages p WHERE p.id = ?`;

  function put(items: readonly IndexItem[]): number {
    let changed = 0;
    db.transaction(() => {
      const spaces = vectorSpaces(db);
      for (const item of items) if (putOne(item, spaces)) changed++;
    });
    return changed;
  }

  function putOne(item: IndexItem, spaces: readonly VectorSpace[]): boolean {
    const old = db.read<PassageRow>(find).get(item.id);
    const next = fields(item);
    let seq: number;
    if (!old) {
      const done = db
        .write(
          `INSERT INTO passages (id, kind, source_id, collection_id, text, title, place, speaker, context, at, position, strength)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(item.id, ...next);
      seq = Number(done.lastInsertRowid);
      writeWords(seq, item);
      return syncParts(seq, item, spaces, true) || true;
    }
    seq = old.seq;
    const before = [
      old.kind,
      old.source_id,
      old.collection_id,
      old.text,
      old.title,
      old.place,
      old.speaker,
      old.context,
      old.at,
      old.position,
      old.strength,
    ];
    const same = before.every((value, i) => value === next[i]);
    if (!same) {
      db.write(
        `UPDATE passages SET kind = ?, source_id = ?, collection_id = ?, text = ?, title = ?, place = ?, speaker = ?,
           context = ?, at = ?, position = ?, strength = ? WHERE seq = ?`,
      ).run(...next, seq);
      // text, title, speaker and context are what the word index holds.
      if ([3, 4, 6, 7].some((i) => before[i] !== next[i])) {
        db.write("DELETE FROM passage_words WHERE rowid = ?").run(seq);
        writeWords(seq, item);
      }
    }
    const textChanged = old.text !== item.text || old.title !== item.title || old.speaker !== (item.speaker ?? "");
    const partsChanged = syncParts(seq, item, spaces, textChanged);
    const moved =
      old.kind !== item.kind ||
      old.source_id !== item.sourceId ||
      old.collection_id !== item.collectionId ||
      old.at !== item.at;
    if (moved) for (const part of partsOf(seq)) moveVector(db, spaces, part, item);
    return !same || partsChanged;
  }

  function writeWords(seq: number, item: IndexItem): void {
    if (item.speaker && item.speaker !== userSpeaker)
      db.write("INSERT OR IGNORE INTO passage_speakers (name) VALUES (?)").run(item.speaker);
    const text = item.text.slice(0, maximumIndexedChars);
    db.write("INSERT INTO passage_words (rowid, text, title, context, speaker, grams) VALUES (?, ?, ?, ?, ?, ?)").run(
      seq,
      text,
      item.title,
      item.context ?? "",
      item.speaker ?? "",
      grams(`${item.title} ${text}`).join(" "),
    );
  }

  /** Makes the stored parts those of the item; parts that stay keep their vectors. */
  function syncParts(seq: number, item: IndexItem, spaces: readonly VectorSpace[], renewWhole: boolean): boolean {
    const stored = db
      .read<{ seq: number; role: string; text: string | null }>(
        "SELECT seq, role, text FROM passage_parts WHERE passage = ?",
      )
      .all(seq);
    const wanted = new Map<string, { role: string; text: string | null }>([["whole", { role: "whole", text: null }]]);
    for (const part of item.parts ?? []) wanted.set(`${part.role}:${part.text}`, part);
    // Questions are written later than the item, by a model: they stay as long as its own words do.
    if (!renewWhole && !(item.parts ?? []).some((part) => part.role === "question")) {
      for (const part of stored) if (part.role === "question") wanted.set(`question:${part.text}`, part);
    }
    let changed = false;
    for (const part of stored) {
      const key = part.role === "whole" ? "whole" : `${part.role}:${part.text}`;
      if (wanted.has(key) && !(part.role === "whole" && renewWhole)) {
        wanted.delete(key);
        continue;
      }
      removePart(part.seq, spaces);
      changed = true;
    }
    for (const part of wanted.values()) {
      const done = db
        .write("INSERT INTO passage_parts (passage, role, text) VALUES (?, ?, ?)")
        .run(seq, part.role, part.text);
      enqueue(Number(done.lastInsertRowid), spaces);
      changed = true;
    }
    return changed;
  }

  function enqueue(part: number, spaces: readonly VectorSpace[]): void {
    for (const space of spaces)
      db.write("INSERT OR IGNORE INTO vector_queue (space, part) VALUES (?, ?)").run(space.id, part);
  }

  function partsOf(seq: number): number[] {
    return db
      .read<{ seq: number }>("SELECT seq FROM passage_parts WHERE passage = ?")
      .all(seq)
      .map((row) => row.seq);
  }

  function removePart(part: number, spaces: readonly VectorSpace[]): void {
    for (const space of spaces) dropVector(db, space, part);
    db.write("DELETE FROM passage_parts WHERE seq = ?").run(part);
  }

  function removeSeq(seq: number, spaces: readonly VectorSpace[]): void {
    for (const part of partsOf(seq)) removePart(part, spaces);
    db.write("DELETE FROM passage_words WHERE rowid = ?").run(seq);
    db.write("DELETE FROM passages WHERE seq = ?").run(seq);
  }

  function removeSeqs(seqs: readonly number[]): number {
    const spaces = vectorSpaces(db);
    for (const seq of seqs) removeSeq(seq, spaces);
    return seqs.length;
  }

  return {
    put,
    remove: (ids) =>
      db.transaction(() =>
        removeSeqs(
          db
            .read<{ seq: number }>("SELECT seq FROM passages WHERE id IN (SELECT value FROM json_each(?))")
            .all(JSON.stringify(ids))
            .map((row) => row.seq),
        ),
      ),
    removeSource: (kind, sourceId) =>
      db.transaction(() =>
        removeSeqs(
          db
            .read<{ seq: number }>("SELECT seq FROM passages WHERE source_id = ? AND kind = ?")
            .all(sourceId, kind)
            .map((row) => row.seq),
        ),
      ),
    archive: (ids, archived) =>
      db.transaction(() => {
        const spaces = vectorSpaces(db);
        const seqs = db
          .read<{ seq: number }>(
            "SELECT seq FROM passages WHERE archived = ? AND id IN (SELECT value FROM json_each(?))",
          )
          .all(archived ? 0 : 1, JSON.stringify(ids));
        for (const { seq } of seqs) {
          db.write("UPDATE passages SET archived = ? WHERE seq = ?").run(archived ? 1 : 0, seq);
          for (const part of partsOf(seq)) {
            if (archived) for (const space of spaces) dropVector(db, space, part);
            else enqueue(part, spaces);
          }
        }
        return seqs.length;
      }),
  };
}

function fields(item: IndexItem): unknown[] {
  return [
    item.kind,
    item.sourceId,
    item.collectionId,
    item.text,
    item.title,
    item.place,
    item.speaker ?? "",
    item.context ?? "",
    Math.round(item.at),
    item.position ?? null,
    item.strength,
  ];
}
