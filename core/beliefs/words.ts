/** What beliefs say to the user, in one place. */
import type { ReasoningType } from "./types.ts";

export const typeWords: Readonly<Record<ReasoningType, string>> = {
  empirical_data: "measured data",
  logical_argument: "argument",
  expert_opinion: "expert opinion",
  anecdotal: "single case",
  social_pressure: "social pressure",
  emotional_appeal: "appeal to feeling",
  debunked_claim: "debunked claim",
  no_argument: "no argument",
};

/** Why an item of this type moves nothing. */
export const refusalWords: Readonly<Record<ReasoningType, string>> = {
  empirical_data: "It reads as data, but cannot be told from pressure or a story.",
  logical_argument: "It reads as an argument, but cannot be told from pressure or a story.",
  expert_opinion: "It reads as an expert's opinion, but cannot be told from pressure or a story.",
  anecdotal: "One case, however vivid, is a story and not yet evidence. Kept as a claim.",
  social_pressure: "Many people saying so is social pressure, not evidence. Kept as a claim.",
  emotional_appeal: "A plea says how much it matters, not whether it is so. Kept as a claim.",
  debunked_claim: "This claim has been tested and found false; saying it again adds nothing. Kept as a claim.",
  no_argument: "No reason is given.",
};

export const words = {
  moved: (type: ReasoningType, strength: number) => `${typeWords[type]}, strength ${strength.toFixed(2)}`,
  disputed: "It is disputed, so nothing moves it until you settle that.",
  counted: "This was weighed before; saying it twice does not count twice.",
  undecidedSide: "It speaks of this, but which side it takes cannot be told.",
  undone: "Taken back by you",
  sourceDeleted: "Its source was deleted",
  edited: "Statement edited by you",
  pinned: "Pinned by you",
  unpinned: "Unpinned by you",
  renewed: "Kept by you; fading starts over",
  settled: "Dispute settled by you",
  disputedBy: "Disputed by you",
  superseded: "Retired: contradiction has added up",
} as const;

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** "fish-passage" to "Fish passage". */
export function topicTitle(topic: string): string {
  const plain = topic.replaceAll("-", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
