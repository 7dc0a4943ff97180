import type { Line } from "./layout.ts";

interface PageLines {
  lines: Line[];
}

const edgeLines = 3;
/** Of a page's height, at its top and at its bottom. */
const edgeShare = 0.12;
/** Where running lines would be more of the document than this, they are what it says. */
const mostShare = 0.45;

/**
 * Takes out running heads and feet: lines at a page's edge that stand at the same height on many pages and say the
 * same, a counting page number aside. The first of each stays in the text, so that nothing that was written is lost.
 * Returns the wording of what was left out, with `#` for the page number.
 */
export function dropRunningHeads(pages: readonly PageLines[]): string[] {
  const written = pages.map((page, index) => ({ page, index })).filter(({ page }) => page.lines.length > 0);
  if (written.length < 3) return [];
  const frame = frameOf(written.map(({ page }) => page));
  const seen = new Map<string, { index: number; line: Line }[]>();
  for (const { page, index } of written) {
    for (const line of edges(page, frame)) {
      const key = keyOf(line);
      const entry = seen.get(key);
      if (!entry) seen.set(key, [{ index, line }]);
      else if (entry.at(-1)!.index !== index) entry.push({ index, line });
    }
  }
  const most = Math.max(3, Math.ceil(written.length * 0.6));
  const half = Math.max(3, Math.ceil(written.length * 0.4));
  const running = new Map<string, Set<Line>>();
  for (const [key, places] of seen) {
    // Left and right pages often differ, so a line on nearly every second page counts as running too.
    const least = new Set(places.map(({ index }) => index % 2)).size === 1 ? half : most;
    if (places.length < least) continue;
    const same = repeating(places);
    if (same.length >= least) running.set(key, new Set(same));
  }
  if (
    running.size === 0 ||
    shareOf(
      running,
      written.map(({ page }) => page),
    ) > mostShare
  )
    return [];
  const kept = new Set<string>();
  const dropped = new Set<string>();
  for (const { page } of written) {
    const out = new Set<Line>();
    for (const line of edges(page, frame)) {
      const key = keyOf(line);
      if (!running.get(key)?.has(line)) continue;
      if (kept.has(key)) {
        out.add(line);
        dropped.add(line.text.replace(/\d+/g, "#").trim());
      }
      kept.add(key);
    }
    // A page that is all running lines keeps them: they are its text.
    if (out.size < page.lines.length) page.lines = page.lines.filter((line) => !out.has(line));
  }
  return [...dropped].slice(0, 50);
}

interface Frame {
  readonly top: number;
  readonly bottom: number;
}

/** The bands at the top and the bottom within which a line can be a running one. */
function frameOf(pages: readonly PageLines[]): Frame {
  let high = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  for (const { lines } of pages) {
    for (const line of lines) {
      high = Math.max(high, line.y1);
      low = Math.min(low, line.y0);
    }
  }
  return { top: high - (high - low) * edgeShare, bottom: low + (high - low) * edgeShare };
}

function edges(page: PageLines, frame: Frame): Line[] {
  const byHeight = [...page.lines].sort((a, b) => b.y1 - a.y1);
  const outermost = new Set([...byHeight.slice(0, edgeLines), ...byHeight.slice(-edgeLines)]);
  return [...outermost].filter((line) => line.y0 >= frame.top || line.y1 <= frame.bottom);
}

function shareOf(running: ReadonlyMap<string, ReadonlySet<Line>>, pages: readonly PageLines[]): number {
  const size = (lines: Iterable<Line>) => [...lines].reduce((sum, line) => sum + line.text.length, 0);
  const all = pages.reduce((sum, page) => sum + size(page.lines), 0);
  return [...running.values()].reduce((sum, lines) => sum + size(lines), 0) / Math.max(1, all);
}

/** The words without their numbers, and the height in steps of about a line. */
function keyOf(line: Line): string {
  const words = line.text
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/^\W*[ivxlc]+\W*$/, "#");
  return `${words.replace(/\s+/g, " ").trim()}@${Math.round(line.y0 / 12)}`;
}

/** Of lines that differ in numbers only: those that are equal, or whose number goes up with the page. */
function repeating(places: readonly { index: number; line: Line }[]): Line[] {
  const groups = new Map<string, Line[]>();
  for (const { index, line } of places) {
    const numbers = [...line.text.matchAll(/\d+/g)].map((match) => Number(match[0]));
    const counted = numbers.map((number) => number - index);
    // Equal but for numbers that count pages: one group each for "nothing counts" and "this number counts".
    const names = new Set([
      `same ${line.text}`,
      ...counted.map((offset, at) => `count ${at} ${offset} ${others(numbers, at)}`),
    ]);
    if (numbers.length === 0 && /^\W*[ivxlc]+\W*$/i.test(line.text)) names.add("roman");
    for (const name of names) {
      const group = groups.get(name);
      if (group) group.push(line);
      else groups.set(name, [line]);
    }
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

const others = (numbers: readonly number[], at: number) => numbers.filter((_, i) => i !== at).join(" ");
