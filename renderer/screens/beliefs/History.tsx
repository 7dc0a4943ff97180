import { useCallback, useState } from "react";
import type { BeliefRevision } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { side } from "../../components/CredenceScale.tsx";
import { Table } from "../../components/Table.tsx";
import { signed } from "../../format/numbers.ts";
import { daysBetween, shortTime } from "../../format/times.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { datesOf, gridOf, type Point, pointsOf } from "./historyShape.ts";

const USUAL_WIDTH = 620;
const H = 150;
const LEFT = 40;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 24;

/** Valence over time with its band: dots for, diamonds against, rings where it refused to move. */
export function History({ revisions, now }: { readonly revisions: readonly BeliefRevision[]; readonly now: number }) {
  const [table, setTable] = useState(false);
  const points = pointsOf(revisions);
  return (
    <section className="hist" aria-label={words.history}>
      <div className="row">
        <h2 className="lab grow">{words.history}</h2>
        <Legend />
        <IconButton
          icon={table ? "beliefs" : "table"}
          label={table ? words.historyDrawing : words.historyTable}
          onClick={() => setTable(!table)}
        />
      </div>
      {table ? (
        <Table
          label={words.historyLabel}
          rows={[...points].reverse()}
          rowKey={(point) => point.id}
          columns={[
            { id: "when", header: words.when, cell: (point) => shortTime(point.at, now), width: 90 },
            { id: "value", header: words.valence, cell: (point) => signed(point.value), width: 80, align: "right" },
            {
              id: "band",
              header: words.uncertainty,
              cell: (point) => `± ${point.band.toFixed(2)}`,
              width: 100,
              align: "right",
            },
            { id: "what", header: words.what, cell: (point) => `${words[point.kind]}: ${point.title}` },
          ]}
        />
      ) : (
        points.length > 0 && <Drawing points={points} now={now} />
      )}
    </section>
  );
}

function Legend() {
  return (
    <span className="row f12 faint legend" aria-hidden="true">
      <svg width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" className="pfor" />
      </svg>
      {words.for}
      <svg width="10" height="10" aria-hidden="true">
        <rect x="2" y="2" width="6" height="6" className="pagainst" transform="rotate(45 5 5)" />
      </svg>
      {words.against}
      <svg width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="3.4" className="prefused" />
      </svg>
      {words.refused}
    </span>
  );
}

/** The width of an element, followed as it changes: drawn to it, letters keep their size. */
function useWidth(): [number, (element: Element | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(USUAL_WIDTH);
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, ref];
}

function Drawing({ points, now }: { readonly points: readonly Point[]; readonly now: number }) {
  const [W, ref] = useWidth();
  const first = points[0]!.at;
  const last = Math.max(now, points.at(-1)!.at);
  const span = Math.max(1, last - first);
  const x = (at: number) => LEFT + ((at - first) / span) * (W - LEFT - RIGHT);
  const { low, high, lines } = gridOf(points);
  const y = (value: number) => TOP + ((high - value) / (high - low)) * (H - TOP - BOTTOM);
  const current = points.at(-1)!;
  const tone = side(current.value);
  const clamp = (value: number) => Math.min(high, Math.max(low, value));
  const line = steps(points, x, (point) => y(point.value), x(last));
  const top = steps(points, x, (point) => y(clamp(point.value + point.band)), x(last));
  const bottom = steps(points, x, (point) => y(clamp(point.value - point.band)), x(last)).reverse();
  const path = (corners: readonly (readonly [number, number])[]) =>
    corners.map(([a, b], i) => `${i === 0 ? "M" : "L"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
  return (
    <svg
      ref={ref}
      className={`chart ${tone}`}
      height={H}
      viewBox={`0 0 ${W} ${H}`}
      role="img"
      aria-label={words.historyLabel}
    >
      {lines.map((value) => (
        <g key={value}>
          <path className={value === 0 ? "zero" : "grid"} d={`M${LEFT} ${y(value)}H${W - RIGHT}`} />
          <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
            {value === 0 ? "0" : signed(value)}
          </text>
        </g>
      ))}
      <path className="band" d={`${path([...top, ...bottom])}Z`} />
      <path className="line" d={path(line)} />
      {points.map((point) => (
        <g key={point.id}>
          <title>{`${shortTime(point.at, now)}, ${signed(point.value)}: ${point.title}`}</title>
          {point.kind === "against" ? (
            <rect
              className="pagainst edged"
              x={x(point.at) - 4}
              y={y(point.value) - 4}
              width={8}
              height={8}
              transform={`rotate(45 ${x(point.at)} ${y(point.value)})`}
            />
          ) : (
            <circle
              className={point.kind === "for" ? "pfor edged" : "prefused"}
              cx={x(point.at)}
              cy={y(point.value)}
              r={point.kind === "for" ? 4 : 3.6}
            />
          )}
        </g>
      ))}
      {datesOf(points, x).map((point, i) => (
        <text
          key={point.id}
          x={x(point.at)}
          y={H - 4}
          textAnchor={i === 0 && x(point.at) < LEFT + 30 ? "start" : x(point.at) > W - 60 ? "end" : "middle"}
        >
          {daysBetween(point.at, now) <= 0 ? words.today : shortTime(point.at, now)}
        </text>
      ))}
    </svg>
  );
}

/** Corners of a staircase: a value holds until the next step. */
function steps(
  points: readonly Point[],
  x: (at: number) => number,
  y: (point: Point) => number,
  end: number,
): [number, number][] {
  const corners: [number, number][] = [];
  for (const [i, point] of points.entries()) {
    if (i > 0) corners.push([x(point.at), corners.at(-1)![1]]);
    corners.push([x(point.at), y(point)]);
  }
  corners.push([end, corners.at(-1)![1]]);
  return corners;
}
