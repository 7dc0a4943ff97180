import type { StandingBelief } from "../contract/index.ts";

/** One passage on its way to the beliefs. */
export interface EvidenceOffer {
  readonly passageId: string;
  readonly documentId: string;
  /** The document's name and the place in it. */
  readonly title: string;
  /** The collection's name. */
  readonly from: string;
  readonly text: string;
  readonly at: number;
}

/** Where passages of documents that may move beliefs are weighed. */
export interface EvidencePort {
  /** False while the queue is full; what waits is offered again later. */
  hasRoom(): boolean;
  offer(item: EvidenceOffer): void;
}

/** What the library needs to know of beliefs before and after documents go. */
export interface BeliefPort {
  /** Beliefs that have evidence among these passages. */
  standingOn(passageIds: readonly string[]): Promise<StandingBelief[]> | StandingBelief[];
  /** Takes the evidence of these documents back; called when they are gone for good. */
  forget(documentIds: readonly string[]): Promise<void> | void;
}

/** How often an answer cites a passage. */
export type CitationCount = (passageId: string) => number;
