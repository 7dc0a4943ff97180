/** Multinomial logistic regression with a weight decay of its own for each block of features; full batch, Adam. */
import { softmax } from "../../../core/beliefs/scorer/head.ts";

export interface LinearMap {
  /** One row a class, bias last. */
  readonly rows: readonly Float64Array[];
}

export function fitLinear(
  inputs: readonly Float64Array[],
  labels: readonly number[],
  classes: number,
  decay: Float64Array,
  steps = 160,
): LinearMap {
  const n = inputs.length;
  const d = inputs[0]!.length;
  const rows = Array.from({ length: classes }, () => new Float64Array(d + 1));
  const first = rows.map(() => new Float64Array(d + 1));
  const second = rows.map(() => new Float64Array(d + 1));
  // Most features of a text are zero: keep only the others.
  const sparse = inputs.map((input) => {
    const index: number[] = [];
    for (let i = 0; i < d; i++) if (input[i] !== 0) index.push(i);
    return { index: Int32Array.from(index), value: Float64Array.from(index, (i) => input[i]!) };
  });
  for (let step = 1; step <= steps; step++) {
    const gradient = rows.map(() => new Float64Array(d + 1));
    for (let i = 0; i < n; i++) {
      const p = softmax(rows.map((row) => score(row, sparse[i]!)));
      for (let c = 0; c < classes; c++) {
        const error = p[c]! - (labels[i] === c ? 1 : 0);
        if (Math.abs(error) < 1e-5) continue;
        const g = gradient[c]!;
        const { index, value } = sparse[i]!;
        for (let k = 0; k < index.length; k++) g[index[k]!]! += error * value[k]!;
        g[d]! += error;
      }
    }
    const rate = 0.06 * (step < steps * 0.6 ? 1 : step < steps * 0.85 ? 0.3 : 0.1);
    for (let c = 0; c < classes; c++) {
      for (let k = 0; k <= d; k++) {
        const g = gradient[c]![k]! / n + (k < d ? decay[k]! * rows[c]![k]! : 0);
        first[c]![k] = 0.9 * first[c]![k]! + 0.1 * g;
        second[c]![k] = 0.98 * second[c]![k]! + 0.02 * g * g;
        const m = first[c]![k]! / (1 - 0.9 ** step);
        const v = second[c]![k]! / (1 - 0.98 ** step);
        rows[c]![k]! -= (rate * m) / (Math.sqrt(v) + 1e-8);
      }
    }
  }
  return { rows };
}

function score(row: Float64Array, input: { index: Int32Array; value: Float64Array }): number {
  let sum = row[row.length - 1]!;
  for (let k = 0; k < input.index.length; k++) sum += row[input.index[k]!]! * input.value[k]!;
  return sum;
}

export function predict(map: LinearMap, input: Float64Array): number[] {
  return softmax(
    map.rows.map((row) => {
      let sum = row[row.length - 1]!;
      for (let i = 0; i < input.length; i++) if (input[i] !== 0) sum += row[i]! * input[i]!;
      return sum;
    }),
  );
}
