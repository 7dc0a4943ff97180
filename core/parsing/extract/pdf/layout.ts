import type { Run } from "./runs.ts";

/** Runs that a reader takes in as one line, and whether a paragraph ends before it. */
export interface Line {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly gapBefore: boolean;
}

/**
 * Puts a page's runs into reading order: rows from top to bottom, columns of prose one after the other.
 * A gutter counts as one only between prose on both sides, so that a table keeps its rows.
 */
export function layOut(all: readonly Run[]): Line[] {
  const turn = mainTurn(all);
  const upright = withoutDoubles(all.filter((run) => run.turn === turn).map((run) => straighten(run, turn)));
  const turned = all.filter((run) => run.turn !== turn);
  const lines = readRegion(upright, 0);
  // Text that runs another way (margin stamps, axis labels) follows in content order.
  for (const [side, runs] of groupBy(turned, (run) => run.turn))
    lines.push(
      ...readRegion(
        runs.map((run) => straighten(run, side)),
        9,
      ),
    );
  return lines;
}

function mainTurn(runs: readonly Run[]): Run["turn"] {
  const weight = [0, 0, 0, 0];
  for (const run of runs) weight[run.turn]! += run.text.length;
  return weight.indexOf(Math.max(...weight)) as Run["turn"];
}

/** Turns a run's box so that its text reads from left to right. */
function straighten(run: Run, turn: number): Run {
  if (turn === 0) return run;
  if (turn === 1) return { ...run, x0: run.y0, x1: run.y1, y0: -run.x1, y1: -run.x0 };
  if (turn === 2) return { ...run, x0: -run.x1, x1: -run.x0, y0: -run.y1, y1: -run.y0 };
  return { ...run, x0: -run.y1, x1: -run.y0, y0: run.x0, y1: run.x1 };
}

/** Bold is sometimes faked by drawing the same words twice, a hair apart. */
function withoutDoubles(runs: Run[]): Run[] {
  const seen = new Map<string, Run[]>();
  return runs.filter((run) => {
    const twins = seen.get(run.text);
    if (!twins) {
      seen.set(run.text, [run]);
      return true;
    }
    const near = run.size * 0.25;
    if (twins.some((twin) => Math.abs(twin.x0 - run.x0) < near && Math.abs(twin.y0 - run.y0) < near)) return false;
    if (twins.length < 50) twins.push(run);
    return true;
  });
}

interface Row {
  runs: Run[];
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

function rowsOf(runs: readonly Run[]): Row[] {
  const sorted = [...runs].sort((a, b) => b.y0 + b.y1 - (a.y0 + a.y1) || a.order - b.order);
  const rows: Row[] = [];
  for (const run of sorted) {
    let home: Row | null = null;
    for (let i = rows.length - 1; i >= Math.max(0, rows.length - 4); i--) {
      const row = rows[i]!;
      const overlap = Math.min(row.y1, run.y1) - Math.max(row.y0, run.y0);
      if (overlap > 0.5 * Math.min(row.y1 - row.y0, run.y1 - run.y0) && !run.vertical) {
        home = row;
        break;
      }
    }
    if (!home) {
      rows.push({ runs: [run], x0: run.x0, x1: run.x1, y0: run.y0, y1: run.y1 });
      continue;
    }
    home.runs.push(run);
    home.x0 = Math.min(home.x0, run.x0);
    home.x1 = Math.max(home.x1, run.x1);
    // A row keeps the height of its first run: a tall neighbour must not swallow the lines around it.
    const tall = run.y1 - run.y0;
    if (tall < home.y1 - home.y0 && run.text.length > 3 * home.runs[0]!.text.length) {
      home.y0 = run.y0;
      home.y1 = run.y1;
    }
  }
  return rows;
}

function readRegion(runs: readonly Run[], depth: number): Line[] {
  if (runs.length === 0) return [];
  const rows = rowsOf(runs);
  const gutter = depth < 6 ? findGutter(runs, rows) : null;
  if (gutter === null) return readRows(rows);
  const lines: Line[] = [];
  let band: Row[] = [];
  const flush = () => {
    if (band.length === 0) return;
    const inBand = band.flatMap((row) => row.runs);
    const left = inBand.filter((run) => (run.x0 + run.x1) / 2 < gutter);
    const right = inBand.filter((run) => (run.x0 + run.x1) / 2 >= gutter);
    const rtl = inBand.filter((run) => run.rtl).length > inBand.length / 2;
    if (proseOnBothSides(left, right)) {
      for (const side of rtl ? [right, left] : [left, right]) lines.push(...startBlock(readRegion(side, depth + 1)));
    } else lines.push(...startBlock(readRegion(inBand, 6)));
    band = [];
  };
  for (const row of rows) {
    const crosses = row.runs.some((run) => run.x0 < gutter - 1 && run.x1 > gutter + 1);
    if (!crosses) {
      band.push(row);
      continue;
    }
    flush();
    lines.push(...readRows([row]));
  }
  flush();
  return lines;
}

function startBlock(lines: Line[]): Line[] {
  const [first, ...rest] = lines;
  return first ? [{ ...first, gapBefore: true }, ...rest] : [];
}

/** The middle of the clearest vertical strip that few rows cross and that has prose on both sides; null when there is none. */
function findGutter(runs: readonly Run[], rows: readonly Row[]): number | null {
  if (rows.length < 4) return null;
  const em = median(runs.map((run) => run.size));
  const edges: { x: number; step: 1 | -1 }[] = [];
  for (const run of runs) {
    edges.push({ x: run.x0, step: 1 }, { x: run.x1, step: -1 });
  }
  edges.sort((a, b) => a.x - b.x || b.step - a.step);
  const most = Math.max(1, Math.floor(rows.length * 0.3));
  let cover = 0;
  let best: { middle: number; cost: number } | null = null;
  const tried: { from: number; to: number; cover: number }[] = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    cover += edges[i]!.step;
    const from = edges[i]!.x;
    const to = edges[i + 1]!.x;
    if (cover > most || to <= from) continue;
    const before = tried.at(-1);
    if (before && from - before.to < 0.01 && before.cover === cover) before.to = to;
    else tried.push({ from, to, cover });
  }
  tried.sort((a, b) => a.cover - b.cover || b.to - b.from - (a.to - a.from));
  for (const strip of tried.slice(0, 12)) {
    if (strip.to - strip.from < em * 0.7) continue;
    const middle = (strip.from + strip.to) / 2;
    const left: Run[] = [];
    const right: Run[] = [];
    for (const run of runs) {
      if (run.x1 <= middle + 1) left.push(run);
      else if (run.x0 >= middle - 1) right.push(run);
    }
    if (!proseOnBothSides(left, right)) continue;
    const cost = strip.cover * 4 - Math.min(4, (strip.to - strip.from) / em);
    if (!best || cost < best.cost) best = { middle, cost };
  }
  return best ? best.middle : null;
}

function proseOnBothSides(left: readonly Run[], right: readonly Run[]): boolean {
  if (left.length === 0 || right.length === 0) return false;
  const a = rowsOf(left);
  const b = rowsOf(right);
  if (a.length < 2 || b.length < 2) return false;
  const [sideA, sideB] = [describe(a), describe(b)];
  if (sideA.chars >= 18 && sideB.chars >= 18 && sideA.fill > 0.55 && sideB.fill > 0.55) return true;
  // Set one after the other by the program that wrote the file, and not in rows: two texts side by side.
  const apart = maxOrder(left) < minOrder(right) || maxOrder(right) < minOrder(left);
  return apart && sideA.chars >= 8 && sideB.chars >= 8 && sharedBaselines(a, b) < 0.7;
}

function describe(rows: readonly Row[]): { chars: number; fill: number } {
  const width = Math.max(...rows.map((row) => row.x1)) - Math.min(...rows.map((row) => row.x0));
  const chars = median(rows.map((row) => row.runs.reduce((sum, run) => sum + run.text.length, 0)));
  return { chars, fill: width <= 0 ? 1 : median(rows.map((row) => row.x1 - row.x0)) / width };
}

function sharedBaselines(a: readonly Row[], b: readonly Row[]): number {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  const shared = few.filter((row) => many.some((other) => Math.abs(row.y0 - other.y0) < 0.2 * (row.y1 - row.y0)));
  return shared.length / few.length;
}

const minOrder = (runs: readonly Run[]) =>
  runs.reduce((least, run) => Math.min(least, run.order), Number.POSITIVE_INFINITY);
const maxOrder = (runs: readonly Run[]) => runs.reduce((most, run) => Math.max(most, run.order), -1);

function readRows(rows: readonly Row[]): Line[] {
  const pitches: number[] = [];
  for (let i = 1; i < rows.length; i++) pitches.push(middleOf(rows[i - 1]!) - middleOf(rows[i]!));
  const pitch = pitches.length ? median(pitches) : 0;
  return rows.map((row, i) => {
    const before = i === 0 ? 0 : pitches[i - 1]!;
    const height = row.y1 - row.y0;
    return {
      text: joinRow(row),
      x0: row.x0,
      x1: row.x1,
      y0: row.y0,
      y1: row.y1,
      gapBefore: before > Math.max(Math.min(pitch, height * 1.6) * 1.35, height * 1.2),
    };
  });
}

const middleOf = (row: Row) => (row.y0 + row.y1) / 2;

function joinRow(row: Row): string {
  const rtl = row.runs.filter((run) => run.rtl).length > row.runs.length / 2;
  const runs = [...row.runs].sort((a, b) => (rtl ? b.x1 - a.x1 : a.x0 - b.x0) || a.order - b.order);
  let text = "";
  let last: Run | null = null;
  for (const run of runs) {
    if (last) {
      const gap = rtl ? last.x0 - run.x1 : run.x0 - last.x1;
      const em = Math.min(last.size, run.size);
      if (gap > em * 1.5) text += "\t";
      else if (
        gap > em * 0.12 ||
        (gap > -em * 0.3 && (rtl ? last.spaceBefore || run.spaceAfter : last.spaceAfter || run.spaceBefore)) ||
        (gap < -em * 0.5 && last.order + 1 !== run.order)
      )
        text += " ";
    }
    text += run.text;
    last = run;
  }
  return text;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

function groupBy<Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
