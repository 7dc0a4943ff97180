/** The snapshot: what Credence thinks as a whole, in about 500 tokens. Versioned; a rewrite that loses too much is refused. */
import { CredenceError } from "../contract/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { uncertainty } from "./arithmetic.ts";
import { heldStrength } from "./ranking.ts";
import type { BeliefRow } from "./rows.ts";
import { sentences } from "./scorer/cues.ts";
import { plural } from "./words.ts";

export const LEAST_CHARACTERS = 30;
export const LEAST_SHARE = 0.6;
/** About 500 tokens of English. */
export const MOST_CHARACTERS = 2000;

export interface SnapshotRow {
  readonly version: number | null;
  readonly at: number;
  readonly text: string;
  readonly refused: string | null;
  readonly author: "rules" | "model" | "user";
}

/** Null when the text may stand; otherwise why not, in words. */
export function refusal(text: string, before: string): string | null {
  if (text.length < LEAST_CHARACTERS) return `Rewrite refused: ${plural(text.length, "character")}, too short`;
  if (text.length < LEAST_SHARE * before.length) {
    return `Rewrite refused: ${Math.round((100 * text.length) / before.length)} % of the one before`;
  }
  return null;
}

export class Snapshots {
  readonly #db: WritableDatabase;

  constructor(db: WritableDatabase) {
    this.#db = db;
  }

  current(): SnapshotRow | null {
    return (
      this.#db
        .read<SnapshotRow>(
          "SELECT version, at, text, refused, author FROM belief_snapshots WHERE version IS NOT NULL ORDER BY seq DESC LIMIT 1",
        )
        .get() ?? null
    );
  }

  /** Newest first, refused rewrites among them. */
  all(): SnapshotRow[] {
    return this.#db
      .read<SnapshotRow>("SELECT version, at, text, refused, author FROM belief_snapshots ORDER BY seq DESC LIMIT 500")
      .all();
  }

  /** Stores a rewrite, or the fact that it was refused. Null when nothing changed. */
  propose(
    text: string,
    author: SnapshotRow["author"],
    at: number,
    options: { mayShrink?: boolean } = {},
  ): SnapshotRow | null {
    const before = this.current();
    const plain = text.trim();
    if (before?.text === plain) return null;
    const why = options.mayShrink && plain.length >= LEAST_CHARACTERS ? null : refusal(plain, before?.text ?? "");
    const version = why === null ? (before?.version ?? 0) + 1 : null;
    this.#db
      .write("INSERT INTO belief_snapshots (version, at, text, refused, author) VALUES (?, ?, ?, ?, ?)")
      .run(version, at, plain, why, author);
    return { version, at, text: plain, refused: why, author };
  }

  /** Makes the text of an old version the newest one. */
  returnTo(version: number, at: number): SnapshotRow {
    const old = this.#db
      .read<SnapshotRow>("SELECT version, at, text, refused, author FROM belief_snapshots WHERE version = ?")
      .get(version);
    if (!old) throw new CredenceError("general.not-found", { what: "snapshot version", id: String(version) });
    return this.propose(old.text, "user", at, { mayShrink: true }) ?? old;
  }
}

/** Writes a snapshot from the beliefs themselves: no model needed, and nothing in it that is not believed. */
export function compose(beliefs: readonly BeliefRow[], now: number): string {
  const living = beliefs
    .filter((belief) => !belief.state.retired)
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) || heldStrength(b, now) - heldStrength(a, now) || a.id.localeCompare(b.id),
    );
  const byTopic = new Map<string, string[]>();
  let size = 0;
  for (const belief of living) {
    const sentence = hold(belief);
    if (size + sentence.length > MOST_CHARACTERS) break;
    size += sentence.length + 1;
    byTopic.set(belief.topic, [...(byTopic.get(belief.topic) ?? []), sentence]);
  }
  return [...byTopic.values()].map((lines) => lines.join(" ")).join("\n\n");
}

function hold(belief: BeliefRow): string {
  const { valence, confidence, supports, contradicts } = belief.state;
  const said = belief.statement.replace(/[.\s]+$/, "");
  const claim =
    /^\p{Lu}\p{Ll}/u.test(said) && !/^\p{Lu}\p{Ll}+\s\p{Lu}/u.test(said)
      ? said.charAt(0).toLowerCase() + said.slice(1)
      : said;
  const rest = `${supports} for, ${contradicts} against`;
  const note = belief.disputedAt === null ? rest : `${rest}, disputed`;
  const wide = uncertainty(confidence, supports, contradicts) > Math.abs(valence);
  if (Math.abs(valence) < 0.1) return `I do not know whether ${claim} (${note}).`;
  if (valence > 0) return `${wide ? "I lean to the view that" : "I hold that"} ${claim} (${note}).`;
  return `${wide ? "I doubt that" : "I hold it false that"} ${claim} (${note}).`;
}

export interface Change {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Sentence by sentence (longest common subsequence), for showing what a version changed. */
export function diff(before: string, after: string): Change[] {
  const a = sentences(before);
  const b = sentences(after);
  const longest = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i]![j] = a[i] === b[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const out: Change[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: "same", text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      out.push({ kind: "removed", text: a[i++]! });
    } else out.push({ kind: "added", text: b[j++]! });
  }
  return out;
}

/** "1 sentence changed", "2 added, 1 removed". */
export function changeWords(before: string | null, after: string): string {
  if (before === null) return "First version";
  const changes = diff(before, after);
  const added = changes.filter((change) => change.kind === "added").length;
  const removed = changes.filter((change) => change.kind === "removed").length;
  const changed = Math.min(added, removed);
  const parts = [
    changed > 0 ? `${plural(changed, "sentence")} changed` : "",
    added > changed ? `${added - changed} added` : "",
    removed > changed ? `${removed - changed} removed` : "",
  ].filter(Boolean);
  return parts.join(", ") || "Nothing changed";
}
