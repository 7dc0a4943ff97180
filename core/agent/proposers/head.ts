/**
 * The linear head that turns a request's vector and cues into probabilities over actions: multinomial logistic
 * regression with L2, trained by full-batch gradient descent with momentum. Small enough to be trained on the user's
 * machine when the embedder is not the one that `head.json` was made for.
 */
export const ACTIONS = ["answer", "recall_memory", "search_library", "feeds", "beliefs", "web_research"] as const;
export type Action = (typeof ACTIONS)[number];

export interface Head {
  /** Numbers in a feature row. */
  readonly inputs: number;
  /** One row of `inputs + 1` weights an action, the bias last, in the order of `ACTIONS`. */
  readonly weights: readonly (readonly number[])[];
}

export interface Sample {
  readonly features: Float32Array;
  readonly action: Action;
  /** How much it counts; 1 is usual. */
  readonly weight: number;
}

export interface Training {
  readonly epochs: number;
  readonly rate: number;
  /** Ridge penalty per weight, relative to the mean loss. */
  readonly l2: number;
}

/** Probabilities in the order of `ACTIONS`; they sum to 1. */
export function probabilities(head: Head, features: Float32Array): number[] {
  const scores = head.weights.map((row) => {
    let score = row[head.inputs]!;
    for (let i = 0; i < head.inputs; i++) score += row[i]! * features[i]!;
    return score;
  });
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Trains a head. `pause` is awaited between epochs, so that a caller on the main thread can let others run. */
export async function trainHead(
  samples: readonly Sample[],
  training: Training,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<Head> {
  const inputs = samples[0]?.features.length ?? 0;
  const size = inputs + 1;
  const weights = ACTIONS.map(() => new Float64Array(size));
  const momentum = ACTIONS.map(() => new Float64Array(size));
  const total = samples.reduce((sum, sample) => sum + sample.weight, 0);
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    const gradient = ACTIONS.map(() => new Float64Array(size));
    const head: Head = { inputs, weights: weights.map((row) => row as unknown as number[]) };
    for (const sample of samples) {
      const guess = probabilities(head, sample.features);
      const wanted = ACTIONS.indexOf(sample.action);
      for (let a = 0; a < ACTIONS.length; a++) {
        const error = ((guess[a]! - (a === wanted ? 1 : 0)) * sample.weight) / total;
        if (Math.abs(error) < 1e-9) continue;
        const row = gradient[a]!;
        for (let i = 0; i < inputs; i++) {
          const feature = sample.features[i]!;
          if (feature !== 0) row[i]! += error * feature;
        }
        row[inputs]! += error;
      }
    }
    for (let a = 0; a < ACTIONS.length; a++) {
      const row = weights[a]!;
      const moving = momentum[a]!;
      for (let i = 0; i < size; i++) {
        const slope = gradient[a]![i]! + (i < inputs ? training.l2 * row[i]! : 0);
        moving[i] = 0.9 * moving[i]! - training.rate * slope;
        row[i]! += moving[i]!;
      }
    }
    await pause();
  }
  return { inputs, weights: weights.map((row) => Array.from(row, (value) => Math.round(value * 1e4) / 1e4)) };
}
