/** The labelled messages that the head is trained on, and how a message becomes a row of features. */
import { cuesOf } from "./cues.ts";
import examples from "./examples.json" with { type: "json" };
import { ACTIONS, type Action, type Head, type Sample, type Training, trainHead } from "./head.ts";
import { requestOf } from "./request-text.ts";

export interface Labelled {
  readonly text: string;
  readonly action: Action;
  readonly weight: number;
}

/** Chosen by cross-validation over the messages (`npm run bench -- routing`). */
export const TRAINING: Training = { epochs: 120, rate: 0.5, l2: 0.001 };
/** Unit vectors are stretched to this length, so that ridge weighs meaning and cues about alike. */
export const VECTOR_SCALE = 3;
/** A frame is filled with this many topics; such made sentences count less than written ones. */
const TOPICS_PER_FRAME = 4;
const FRAME_WEIGHT = 0.3;

/** Messages that were written one by one. */
export function labelledMessages(): Labelled[] {
  return ACTIONS.flatMap((action) => examples.messages[action].map((text) => ({ text, action, weight: 1 })));
}

/** Frames with topics, which teach that a topic says nothing about the place to look. The same on every machine. */
export function framedMessages(): Labelled[] {
  let turn = 0;
  return ACTIONS.flatMap((action) =>
    examples.frames[action].flatMap((frame) =>
      Array.from({ length: TOPICS_PER_FRAME }, () => {
        const topic = examples.topics[(turn++ * 7) % examples.topics.length]!;
        return { text: frame.replace("{t}", topic), action, weight: FRAME_WEIGHT };
      }),
    ),
  );
}

/** The features of a message: its request's vector (when there is one) and its cues. */
export function featuresOf(message: string, vector: Float32Array | null): Float32Array {
  const cues = cuesOf(requestOf(message));
  if (!vector) return cues;
  const features = new Float32Array(vector.length + cues.length);
  for (let i = 0; i < vector.length; i++) features[i] = vector[i]! * VECTOR_SCALE;
  features.set(cues, vector.length);
  return features;
}

/** The text of a message that is embedded. */
export function embeddedText(message: string): string {
  return requestOf(message).text;
}

/** Trains a head on labelled messages; `vectors` in their order, or null for a head that sees cues alone. */
export async function trainOn(
  messages: readonly Labelled[],
  vectors: readonly Float32Array[] | null,
  pause?: () => Promise<void>,
): Promise<Head> {
  const samples: Sample[] = messages.map(({ text, action, weight }, i) => ({
    features: featuresOf(text, vectors ? vectors[i]! : null),
    action,
    weight,
  }));
  return trainHead(samples, TRAINING, pause);
}
