/**
 * Sampling defaults. Small models loop under greedy decoding, so they get penalties on what they just wrote; larger ones
 * lose accuracy by them. Values are those that the models' authors recommend where they say so.
 */
import type { Sampling } from "./types.ts";

export interface ResolvedSampling {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly repeatPenalty: number;
  /** Strength of the penalty on repeating whole phrases ("don't repeat yourself"); 0 is off. */
  readonly phrasePenalty: number;
  readonly seed: number | null;
}

export interface SamplingSubject {
  readonly name: string;
  readonly architecture: string;
  readonly parameters: number;
  readonly reasons: boolean;
}

const byFamily: readonly { readonly test: RegExp; readonly values: Partial<ResolvedSampling> }[] = [
  { test: /smollm2/i, values: { temperature: 0.2, topP: 0.9, topK: 40 } },
  { test: /smollm3/i, values: { temperature: 0.6, topP: 0.95 } },
  { test: /qwen ?3/i, values: { temperature: 0.6, topP: 0.95, topK: 20 } },
  { test: /qwen ?2/i, values: { temperature: 0.6, topP: 0.85, topK: 20 } },
  { test: /deepseek.?r1/i, values: { temperature: 0.6, topP: 0.95 } },
  { test: /gemma/i, values: { temperature: 0.8, topP: 0.95, topK: 64 } },
  { test: /mistral|ministral|magistral|codestral/i, values: { temperature: 0.3 } },
  { test: /llama.?3/i, values: { temperature: 0.6, topP: 0.9 } },
  { test: /phi/i, values: { temperature: 0.5, topP: 0.95 } },
  { test: /gpt.?oss/i, values: { temperature: 1, topP: 1, topK: 0 } },
];

/** Defaults for a model, before a request changes them. */
export function samplingDefaults(model: SamplingSubject): ResolvedSampling {
  const billions = model.parameters / 1e9;
  const bySize =
    billions < 1
      ? { repeatPenalty: 1.1, phrasePenalty: 0.8 }
      : billions < 4
        ? { repeatPenalty: 1.05, phrasePenalty: 0.4 }
        : { repeatPenalty: 1, phrasePenalty: 0 };
  const family =
    byFamily.find(({ test }) => test.test(model.name)) ?? byFamily.find(({ test }) => test.test(model.architecture));
  return { temperature: 0.6, topP: 0.92, topK: 40, minP: 0.05, seed: null, ...bySize, ...family?.values };
}

/** A request's own values over the defaults, kept within what means something. */
export function resolveSampling(defaults: ResolvedSampling, wanted: Sampling = {}): ResolvedSampling {
  return {
    temperature: within(wanted.temperature, 0, 2, defaults.temperature),
    topP: within(wanted.topP, 0.01, 1, defaults.topP),
    topK: Math.floor(within(wanted.topK, 0, 1000, defaults.topK)),
    minP: within(wanted.minP, 0, 1, defaults.minP),
    repeatPenalty: within(wanted.repeatPenalty, 1, 2, defaults.repeatPenalty),
    phrasePenalty: defaults.phrasePenalty,
    seed: wanted.seed === undefined ? defaults.seed : Math.floor(within(wanted.seed, 0, 2 ** 32 - 1, 0)),
  };
}

function within(value: number | undefined, low: number, high: number, fallback: number): number {
  return value === undefined || !Number.isFinite(value) ? fallback : Math.min(high, Math.max(low, value));
}
