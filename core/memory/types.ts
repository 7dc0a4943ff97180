/**
 * The index that everything readable goes through: exchanges, document passages, feed entries and stored facts are all
 * `IndexItem`s of one hybrid index, told apart by `kind`. Owners keep their own tables; the index keeps words and vectors.
 */
export type ItemKind = "message" | "document" | "feed" | "memory";

/** The speaker of what the user said, and of what Credence answered. */
export const userSpeaker = "You";
export const assistantSpeaker = "Credence";

export interface IndexItem {
  /** Stable and content-addressed where possible: putting the same id again replaces, and costs nothing when unchanged. */
  readonly id: string;
  readonly kind: ItemKind;
  /** What the item belongs to: a conversation, document or feed entry id. */
  readonly sourceId: string;
  /** A collection (documents) or feed id (entries) to filter by; null for the rest. */
  readonly collectionId: string | null;
  /** At most the embedder's own context; longer texts are the owner's to split. */
  readonly text: string;
  /** Heading path, document or conversation title: searched too, with less weight. */
  readonly title: string;
  /** Where in the source, in words: "p. 14". */
  readonly place: string;
  /** When it was said or published, milliseconds since the epoch. */
  readonly at: number;
  /** Evidence score 0..1 where known. */
  readonly strength: number | null;
  /** Who said it, where someone did: a question that names them prefers it. */
  readonly speaker?: string;
  /** Place in the order of its source; neighbours in that order are context for each other. */
  readonly position?: number;
  /** Words around the item (the turns before and after): searched with less weight, never shown. */
  readonly context?: string;
  /** Further texts that are embedded beside the item and lead to it: sentences, windows, anticipated questions. */
  readonly parts?: readonly IndexPart[];
}

export interface IndexPart {
  readonly role: "window" | "sentence" | "question";
  readonly text: string;
}

export interface SearchFilter {
  readonly kinds?: readonly ItemKind[];
  readonly sourceIds?: readonly string[];
  readonly collectionIds?: readonly string[];
  /** Inclusive, milliseconds. */
  readonly from?: number;
  /** Exclusive, milliseconds. */
  readonly to?: number;
  readonly excludeIds?: readonly string[];
  readonly excludeSourceIds?: readonly string[];
}

export interface SearchHit {
  readonly item: IndexItem;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** Cosine to the query, when vectors were used. */
  readonly similarity: number | null;
  /** Character range of the best matching sentence in `item.text`. */
  readonly mark: readonly [number, number] | null;
  /** In words: "same words and meaning". */
  readonly why: string;
}

export interface SearchOptions {
  readonly filter?: SearchFilter;
  /** At most 4096; larger values are taken as that. */
  readonly limit: number;
  readonly signal?: AbortSignal;
  /** When the question is asked, for "last year"; now when left out. */
  readonly now?: number;
}

export interface PassageIndex {
  /** Words are searchable when this returns; vectors follow in the background, oldest first. */
  put(items: readonly IndexItem[]): void;
  remove(ids: readonly string[]): void;
  removeSource(kind: ItemKind, sourceId: string): void;
  search(query: string, options: SearchOptions): Promise<SearchHit[]>;
  /** How many items still wait for their vector. */
  pending(): number;
}
