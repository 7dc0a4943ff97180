/** What the built-in tools take from the rest of the core. A tool whose port is absent is not registered. */
import type { BeliefNote, ConversationId, TurnId } from "../contract/index.ts";
import type { Passage } from "./types.ts";

/** What was said in conversations, and facts kept from them. */
export interface MemorySearchPort {
  search(request: {
    readonly query: string;
    readonly conversationId: ConversationId;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly Passage[]>;
}

export interface LibraryPort {
  search(request: {
    readonly query: string;
    /** Collections to stay within; null means everything. */
    readonly scope: readonly string[] | null;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly Passage[]>;
  /** A document by id or by (part of) its title, from a character on; null when there is none in scope. */
  read(request: {
    readonly document: string;
    readonly offset: number;
    readonly maxChars: number;
    readonly scope: readonly string[] | null;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly documentId: string;
    readonly title: string;
    readonly text: string;
    readonly totalChars: number;
    readonly nextOffset: number | null;
  } | null>;
}

/** Stores propositions and lets them weigh on beliefs by the rules: the only way a conversation changes beliefs. */
export interface KnowledgePort {
  integrate(request: {
    readonly statements: readonly string[];
    /** The user's own words, which the evidence is scored from. */
    readonly userText: string;
    readonly conversationId: ConversationId;
    readonly turnId: TurnId;
    readonly signal: AbortSignal;
  }): Promise<{ readonly stored: number; readonly known: number; readonly notes: readonly BeliefNote[] }>;
}

export interface FoundBelief {
  readonly beliefId: string;
  readonly topic: string;
  readonly statement: string;
  /** -1..1 */
  readonly valence: number;
  /** 0..1 */
  readonly confidence: number;
  readonly supports: number;
  readonly contradicts: number;
  /** The evidence in words, strongest first: "supports, empirical data 0.62: 97 of 118 eels crossed at night". */
  readonly evidence: readonly string[];
  /** Past changes in words, newest first. */
  readonly history: readonly string[];
}

export interface BeliefLookupPort {
  /** Beliefs that bear on the query, most relevant first; an empty query means the strongest. */
  find(request: {
    readonly query: string;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly FoundBelief[]>;
}

export interface FeedLookupPort {
  /** Entries about the query, or the newest ones when it is empty. */
  find(request: {
    readonly query: string;
    /** Not older than this time; null means any age. */
    readonly from: number | null;
    readonly unreadOnly: boolean;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly Passage[]>;
}

export interface BuiltInPorts {
  readonly memory?: MemorySearchPort | undefined;
  readonly library?: LibraryPort | undefined;
  readonly knowledge?: KnowledgePort | undefined;
  readonly beliefs?: BeliefLookupPort | undefined;
  readonly feeds?: FeedLookupPort | undefined;
}
