/** The heads that were trained while building Credence, and the check whether an embedder is the one they were made for. */
import { CUES } from "./cues.ts";
import data from "./head.json" with { type: "json" };
import type { Head } from "./head.ts";

export interface ShippedHeads {
  /** For vectors and cues together. */
  readonly full: Head;
  /** For cues alone, when nothing can be embedded. */
  readonly cues: Head;
  /** Texts and their vectors from the embedder that `full` was trained with. */
  readonly probes: readonly { readonly text: string; readonly vector: readonly number[] }[];
}

/** Null when the cues have changed since the heads were trained; then they are trained anew on this machine. */
export function shippedHeads(): ShippedHeads | null {
  const shipped = data as ShippedHeads & { readonly cueNames: readonly string[] };
  const current = CUES.map((cue) => cue.name);
  const same = shipped.cueNames.length === current.length && current.every((name, i) => shipped.cueNames[i] === name);
  return same ? shipped : null;
}

/** Whether vectors of the probes agree: the same embedder, whatever its file or precision. */
export function madeFor(heads: ShippedHeads, vectors: readonly Float32Array[]): boolean {
  return heads.probes.every(({ vector }, i) => {
    const other = vectors[i];
    if (!other || other.length !== vector.length) return false;
    return vector.reduce((sum, value, j) => sum + value * other[j]!, 0) > 0.985;
  });
}
