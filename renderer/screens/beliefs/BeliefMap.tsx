import { useState } from "react";
import type { BeliefSummary } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { heldAs, side } from "../../components/CredenceScale.tsx";
import { Table } from "../../components/Table.tsx";
import { signed } from "../../format/numbers.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { labelsOf, type Mark, marksOf } from "./mapShape.ts";

export interface BeliefMapProps {
  readonly beliefs: readonly BeliefSummary[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

const W = 404;
const H = 372;
const LEFT = 40;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 40;

/** Radius from which a dot stands out. */
const MUCH_EVIDENCE = 6;

const x = (valence: number) => LEFT + ((valence + 1) / 2) * (W - LEFT - RIGHT);
const y = (confidence: number) => TOP + (1 - confidence) * (H - TOP - BOTTOM);

/** Valence by confidence, sized by evidence; the same values as a table on demand. */
export function BeliefMap({ beliefs, selected, onSelect }: BeliefMapProps) {
  const [table, setTable] = useState(false);
  return (
    <div className="bmap">
      <div className="row head">
        <h3 className="lab grow">{words.map}</h3>
        {!table && <span className="f12 faint cut">{words.mapKey}</span>}
        <IconButton
          icon={table ? "beliefs" : "table"}
          label={table ? words.mapDrawing : words.mapTable}
          onClick={() => setTable(!table)}
        />
      </div>
      {table ? (
        <div className="scroll maptable">
          <Table
            label={words.mapLabel(beliefs.length)}
            rows={beliefs}
            rowKey={(belief) => belief.id}
            selected={(belief) => belief.id === selected}
            onOpen={(belief) => navigate({ screen: "beliefs", path: [belief.id] })}
            columns={[
              {
                id: "statement",
                header: words.statement,
                cell: (belief) => <span title={belief.statement}>{belief.statement}</span>,
              },
              {
                id: "valence",
                header: words.valence,
                cell: (belief) => signed(belief.valence),
                width: 72,
                align: "right",
              },
              {
                id: "confidence",
                header: words.confidence,
                cell: (belief) => belief.confidence.toFixed(2),
                width: 84,
                align: "right",
              },
              {
                id: "evidence",
                header: words.forAgainst,
                cell: (belief) => `${belief.supports} / ${belief.contradicts}`,
                width: 84,
                align: "right",
              },
            ]}
          />
        </div>
      ) : (
        <Drawing beliefs={beliefs} selected={selected} onSelect={onSelect} />
      )}
    </div>
  );
}

function Drawing({ beliefs, selected, onSelect }: BeliefMapProps) {
  const marks = marksOf(beliefs);
  const place = (mark: Mark) => ({ x: x(mark.valence), y: y(mark.confidence) });
  const labels = labelsOf(marks, place, W);
  const named = new Set(labels.map((label) => label.key));
  const order = [...marks].sort((a, b) => b.radius - a.radius);
  return (
    <svg className="drawing" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={words.mapLabel(beliefs.length)}>
      <Axes />
      {order.map((mark) => {
        const at = place(mark);
        const tone = side(mark.valence);
        const strong = mark.radius >= MUCH_EVIDENCE || named.has(mark.key) || mark.belief?.id === selected;
        const title = mark.belief ? `${mark.belief.statement}: ${heldAs(mark.valence)}` : words.bin(mark.count);
        const moved =
          mark.belief?.before != null && Math.abs(mark.belief.before - mark.valence) > 0.02 ? mark.belief.before : null;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the drawing is the way by keyboard
          <g
            key={mark.key}
            className={`pt ${tone}${strong ? "" : " quiet"}`}
            onMouseEnter={mark.belief ? () => onSelect(mark.belief!.id) : undefined}
            onClick={mark.belief ? () => navigate({ screen: "beliefs", path: [mark.belief!.id] }) : undefined}
          >
            <title>{title}</title>
            {moved !== null && strong && (
              <>
                <circle className="was" cx={x(moved)} cy={at.y} r={Math.max(3, mark.radius - 1)} />
                <path className="trail" d={`M${x(moved)} ${at.y}H${at.x}`} />
              </>
            )}
            {tone === "q" ? (
              <rect
                className="shape"
                x={at.x - mark.radius * 0.86}
                y={at.y - mark.radius * 0.86}
                width={mark.radius * 1.72}
                height={mark.radius * 1.72}
                transform={`rotate(45 ${at.x} ${at.y})`}
              />
            ) : (
              <circle className="shape" cx={at.x} cy={at.y} r={mark.radius} />
            )}
            {mark.belief !== null && mark.belief.id === selected && (
              <circle className="ring" cx={at.x} cy={at.y} r={mark.radius + 4} />
            )}
          </g>
        );
      })}
      {labels.map((label) => (
        <text key={label.key} className="name" x={label.x} y={label.y} textAnchor={label.end ? "end" : "start"}>
          {label.text}
        </text>
      ))}
    </svg>
  );
}

function Axes() {
  return (
    <g className="axes">
      {[0, 0.25, 0.5, 0.75, 1].map((value) => (
        <g key={value}>
          <path className={value % 0.5 === 0 ? "grid" : "grid fine"} d={`M${LEFT} ${y(value)}H${W - RIGHT}`} />
          {value % 0.5 === 0 && (
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
              {value.toFixed(2)}
            </text>
          )}
        </g>
      ))}
      <path className="mid" d={`M${x(0)} ${TOP}V${y(0)}`} />
      {[-1, -0.5, 0, 0.5, 1].map((value) => (
        <text
          key={value}
          x={x(value)}
          y={y(0) + 16}
          textAnchor={value === -1 ? "start" : value === 1 ? "end" : "middle"}
        >
          {value === 0 ? "0" : signed(value, value % 1 === 0 ? 0 : 1)}
        </text>
      ))}
      <text className="against" x={LEFT} y={H - 4}>
        {words.heldFalse}
      </text>
      <text x={x(0)} y={H - 4} textAnchor="middle">
        {words.undecided}
      </text>
      <text className="for" x={W - RIGHT} y={H - 4} textAnchor="end">
        {words.heldTrue}
      </text>
    </g>
  );
}
