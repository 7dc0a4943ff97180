import { signed } from "../format/numbers.ts";
import { shared } from "../words/shared.ts";

export interface CredenceScaleProps {
  /** −1 held false … 1 held true. */
  readonly value: number;
  /** Half the width of the band, in the same unit. */
  readonly uncertainty?: number | null;
  /** Where it was before a change: drawn as a ring. */
  readonly before?: number | null;
  readonly width?: number;
  readonly height?: number;
}

/** `p` held true, `q` held false, `z` under 0.10 either way. */
export const side = (value: number): "p" | "q" | "z" => (value >= 0.1 ? "p" : value <= -0.1 ? "q" : "z");

/** In words, so that colour is never alone: "held true, +0.43". */
export const heldAs = (value: number): string => {
  const words = { p: shared.heldTrue, q: shared.heldFalse, z: shared.undecided };
  return `${words[side(value)]}, ${signed(value)}`;
};

/** Axis, centre tick, band for uncertainty, dot for now, ring for before. Held false is a diamond. */
export function CredenceScale({ value, uncertainty, before, width = 168, height = 16 }: CredenceScaleProps) {
  const inset = 6;
  const middle = height / 2;
  const at = (v: number) => inset + ((Math.min(1, Math.max(-1, v)) + 1) / 2) * (width - 2 * inset);
  const tone = side(value);
  const radius = height >= 20 ? 5 : 4.5;
  const description = before == null ? heldAs(value) : `${heldAs(value)}, ${shared.before} ${signed(before)}`;
  return (
    <svg
      className="scale"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={description}
    >
      <path className="ax" d={`M${inset} ${middle}H${width - inset}`} />
      <path className="mid" d={`M${width / 2} ${middle - 5}v10`} />
      {uncertainty != null && uncertainty > 0 && (
        <path className={`unc ${tone}`} d={`M${at(value - uncertainty)} ${middle}H${at(value + uncertainty)}`} />
      )}
      {before != null && <circle className={`old ${side(before)}`} cx={at(before)} cy={middle} r={radius - 1} />}
      <g className={`dot ${tone}`} style={{ transform: `translateX(${at(value)}px)` }}>
        {tone === "q" ? (
          <rect className="dot q" x={-4} y={middle - 4} width={8} height={8} transform={`rotate(45 0 ${middle})`} />
        ) : (
          <circle className={`dot ${tone}`} cx={0} cy={middle} r={radius} />
        )}
      </g>
    </svg>
  );
}
