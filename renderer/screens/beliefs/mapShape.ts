import type { BeliefSummary } from "../../../core/contract/index.ts";

/** Above this many points the map shows bins: single dots would hide each other. */
export const MOST_DOTS = 400;
const COLUMNS = 24;
const ROWS = 16;

export interface Mark {
  readonly key: string;
  /** -1..1 and 0..1 */
  readonly valence: number;
  readonly confidence: number;
  /** Radius in pixels. */
  readonly radius: number;
  readonly count: number;
  /** The belief, when the mark is a single one. */
  readonly belief: BeliefSummary | null;
}

export const evidenceOf = (belief: BeliefSummary): number => belief.supports + belief.contradicts;

/** Dots sized by evidence (area, not radius), or bins where there are too many. */
export function marksOf(beliefs: readonly BeliefSummary[]): Mark[] {
  if (beliefs.length <= MOST_DOTS) {
    return beliefs.map((belief) => ({
      key: belief.id,
      valence: belief.valence,
      confidence: belief.confidence,
      radius: 2.5 + 2 * Math.sqrt(Math.min(16, evidenceOf(belief))),
      count: 1,
      belief,
    }));
  }
  const bins = new Map<string, { n: number; valence: number; confidence: number; first: BeliefSummary }>();
  for (const belief of beliefs) {
    const column = Math.min(COLUMNS - 1, Math.floor(((belief.valence + 1) / 2) * COLUMNS));
    const row = Math.min(ROWS - 1, Math.floor(belief.confidence * ROWS));
    const key = `${column}:${row}`;
    const bin = bins.get(key) ?? { n: 0, valence: 0, confidence: 0, first: belief };
    bins.set(key, {
      ...bin,
      n: bin.n + 1,
      valence: bin.valence + belief.valence,
      confidence: bin.confidence + belief.confidence,
    });
  }
  const most = Math.max(...[...bins.values()].map((bin) => bin.n));
  return [...bins].map(([key, bin]) => ({
    key,
    valence: bin.valence / bin.n,
    confidence: bin.confidence / bin.n,
    radius: 3 + 8 * Math.sqrt(bin.n / most),
    count: bin.n,
    belief: bin.n === 1 ? bin.first : null,
  }));
}

export interface Label {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly end: boolean;
}

/** About the width of a letter at 11 pixels. */
const LETTER = 6.2;

/** Short names for the largest dots, only where they do not lie over each other. */
export function labelsOf(
  marks: readonly Mark[],
  place: (mark: Mark) => { x: number; y: number },
  width: number,
  most = 8,
): Label[] {
  const taken: { left: number; right: number; top: number; bottom: number }[] = [];
  const labels: Label[] = [];
  const single = marks.filter((mark) => mark.belief !== null);
  for (const mark of [...single].sort((a, b) => b.radius - a.radius || b.confidence - a.confidence)) {
    if (labels.length >= most) break;
    const text = shortName(mark.belief!.statement);
    const { x, y } = place(mark);
    const size = text.length * LETTER;
    for (const end of [false, true]) {
      const at = end ? x - mark.radius - 6 : x + mark.radius + 6;
      const left = end ? at - size : at;
      const box = { left, right: left + size, top: y - 8, bottom: y + 8 };
      const outside = box.left < 0 || box.right > width;
      const clash = taken.some(
        (t) => box.left < t.right && t.left < box.right && box.top < t.bottom && t.top < box.bottom,
      );
      const covers = single.some((other) => {
        const spot = place(other);
        const dx = spot.x > box.left - other.radius && spot.x < box.right + other.radius;
        return other !== mark && dx && spot.y > box.top - other.radius / 2 && spot.y < box.bottom + other.radius / 2;
      });
      if (outside || clash || covers) continue;
      taken.push(box);
      labels.push({ key: mark.key, text, x: at, y: y + 4, end });
      break;
    }
  }
  return labels;
}

const small = new Set(
  "a an the of in on at to for and or but with than that is are was were be has have not no mostly must more most when".split(
    " ",
  ),
);

/** The first two or three telling words of a statement. */
export function shortName(statement: string): string {
  const kept = statement.split(/\s+/).filter((word) => !small.has(word.toLowerCase()));
  const name = kept
    .slice(0, 2)
    .join(" ")
    .replace(/[,.;:]+$/, "");
  return name.length > 22 ? `${name.slice(0, 21)}…` : name;
}
