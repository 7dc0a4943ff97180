import type { BeliefSummary } from "../../../core/contract/index.ts";
import { CredenceScale, side } from "../../components/CredenceScale.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { signed } from "../../format/numbers.ts";
import { daysBetween, shortTime } from "../../format/times.ts";
import { formatRoute } from "../../hooks/useRoute.ts";
import { beliefs as words } from "../../words/beliefs.ts";

export interface BeliefRowProps {
  readonly belief: BeliefSummary;
  readonly now: number;
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
}

export const tones = { p: "for", q: "against", z: "dim" } as const;

/** Two lines and a scale: the statement, its evidence, when it last moved, where it stands. */
export function BeliefRow({ belief, now, selected, onSelect }: BeliefRowProps) {
  const tone = tones[side(belief.valence)];
  return (
    <a
      className={selected ? "br on" : "br"}
      href={formatRoute({ screen: "beliefs", path: [belief.id] })}
      onFocus={() => onSelect(belief.id)}
      onMouseEnter={() => onSelect(belief.id)}
      draggable={false}
    >
      <span className="grow">
        <span className="cut m line" title={belief.statement}>
          {belief.statement}
        </span>
        <span className="row f12 under">
          <ForAgainst belief={belief} />
          <span className="faint cut">{lastChange(belief, now)}</span>
          <Marks belief={belief} />
        </span>
      </span>
      <span className="at">
        <CredenceScale
          value={belief.valence}
          uncertainty={belief.uncertainty}
          before={belief.before !== null && belief.before !== belief.valence ? belief.before : null}
          width={136}
        />
        <span className="f12 num line">
          <b className={`b ${tone}`}>{signed(belief.valence)}</b>
          <span className="faint">
            {" "}
            {words.confidence} {belief.confidence.toFixed(2)}
          </span>
        </span>
      </span>
    </a>
  );
}

export function ForAgainst({ belief }: { readonly belief: BeliefSummary }) {
  return (
    <span className="num nowrap">
      <b className="m for">{belief.supports}</b>
      <span className="faint"> {words.for}, </span>
      <b className="m against">{belief.contradicts}</b>
      <span className="faint"> {words.against}</span>
    </span>
  );
}

const marks: readonly (readonly ["disputed" | "pinned" | "fading" | "retired", IconName])[] = [
  ["disputed", "flag"],
  ["pinned", "pin"],
  ["fading", "fall"],
  ["retired", "clock"],
];

function Marks({ belief }: { readonly belief: BeliefSummary }) {
  return marks
    .filter(([mark]) => belief[mark])
    .map(([mark, icon]) => (
      <span key={mark} className="row faint mark">
        <Icon name={icon} size="s" />
        {words.views[mark]}
      </span>
    ));
}

/** "Moved today", "Moved, then refused, today", "28 Nov". */
export function lastChange(belief: BeliefSummary, now: number): string {
  const moved = daysBetween(belief.changedAt, now);
  const refused = belief.refusedAt === null ? null : daysBetween(belief.refusedAt, now);
  if (refused === 0 && (belief.refusedAt ?? 0) > belief.changedAt) {
    return moved === 0 ? words.movedThenRefused : words.refusedToday;
  }
  if (moved <= 0) return words.movedToday;
  if (moved === 1) return words.movedYesterday;
  return shortTime(belief.changedAt, now);
}
