import type { BeliefRevision } from "../../../core/contract/index.ts";

export interface Point {
  readonly id: string;
  readonly at: number;
  /** Valence after the step. */
  readonly value: number;
  readonly band: number;
  readonly kind: "for" | "against" | "refused";
  readonly title: string;
}

/** The same width of uncertainty as the core works out, from what a row of the log holds. */
const bandOf = (confidence: number, supports: number, contradicts: number): number => {
  const total = supports + contradicts;
  const conflict = total === 0 ? 0 : (2 * Math.min(supports, contradicts)) / total;
  return Math.min(1, 0.36 * (1 - confidence) + 0.08 * conflict);
};

/** Steps and refusals, oldest first; what was taken back is left out. */
export function pointsOf(revisions: readonly BeliefRevision[]): Point[] {
  let supports = 0;
  let contradicts = 0;
  return [...revisions]
    .reverse()
    .filter((row) => row.undone === null && row.after !== null && (row.kind === "evidence" || row.kind === "refused"))
    .map((row) => {
      const against = row.arithmetic?.direction === -1;
      if (row.kind === "evidence") {
        if (against) contradicts++;
        else supports++;
      }
      return {
        id: row.id,
        at: row.at,
        value: row.after!,
        band: bandOf(row.confidenceAfter ?? 0, supports, contradicts),
        kind: row.kind === "refused" ? "refused" : against ? "against" : "for",
        title: row.title,
      };
    });
}

/** Lines of the value axis: a quarter or a half apart, around everything that is shown, zero among them. */
export function gridOf(points: readonly Point[]): { low: number; high: number; lines: number[] } {
  const lowest = Math.min(0, ...points.map((point) => point.value - point.band));
  const highest = Math.max(0, ...points.map((point) => point.value + point.band));
  const step = highest - lowest > 1.1 ? 0.5 : 0.25;
  const low = Math.max(-1, Math.floor(lowest / step) * step);
  const high = Math.min(1, Math.max(low + step, Math.ceil(highest / step) * step));
  const lines: number[] = [];
  for (let value = low; value <= high + 1e-9; value += step) lines.push(Math.round(value * 100) / 100);
  return { low, high, lines };
}

/** Which dates to write under the axis: first, last, and as many between as have room. */
export function datesOf(points: readonly Point[], x: (at: number) => number, room = 110): Point[] {
  const shown: Point[] = [];
  const last = points.at(-1);
  for (const point of points) {
    const before = shown.at(-1);
    if (point === last) {
      while (shown.length > 0 && x(point.at) - x(shown.at(-1)!.at) < room && shown.length > 1) shown.pop();
      if (shown.length === 0 || x(point.at) - x(shown.at(-1)!.at) >= room / 2) shown.push(point);
    } else if (!before || x(point.at) - x(before.at) >= room) shown.push(point);
  }
  return shown;
}
