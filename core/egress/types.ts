import type { EgressPurpose, LedgerEntry, LedgerTotal, PurposeState } from "../contract/index.ts";

export interface EgressRequest {
  readonly purpose: EgressPurpose;
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sent as If-None-Match and If-Modified-Since: "not changed" answers with `notModified`. */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  /** The user typed this address: it may lie on this machine or its network. Redirects to other such hosts stay refused. */
  readonly addedByHand?: boolean;
  /** For the ledger, in words: "River gauge bulletin". Never the text of a message or document. */
  readonly what: string;
  /** Who agreed, in words; "Standing" unless the user was asked for this request. */
  readonly agreedBy?: string;
  /** Decoded bytes of the body above which reading stops with `egress.too-large`. Default 8 MB. */
  readonly maxBytes?: number;
  /** The whole request, redirects included, may take this long. Default 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  /** After all redirects. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, decompressed, charset untouched. Empty for `notModified`. */
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly notModified: boolean;
  /** The new address when every redirect on the way was permanent (301, 308); null when it stays. */
  readonly movedTo: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** From Retry-After, seconds or a date; null when absent. */
  readonly retryAfterMs: number | null;
  /** The ledger's row of the last hop, for `describe`. */
  readonly ledgerId: number;
}

/** A response whose body is still on its way. `body` must be read to the end or cancelled. */
export interface EgressStream extends Omit<EgressResponse, "bytes"> {
  readonly body: AsyncIterable<Uint8Array>;
  cancel(): void;
}

export interface Egress {
  /** Sends a request and reads its whole answer. Throws the errors of `contract/errors/egress.ts`; any status is an answer. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** The same with a body that streams; `maxBytes` and `timeoutMs` (until the headers) still hold. */
  stream(request: EgressRequest): Promise<EgressStream>;
  /** A `fetch` of one purpose, for libraries that bring their own protocol. */
  fetchFor(
    purpose: EgressPurpose,
    options: { readonly what: string; readonly addedByHand: boolean; readonly maxBytes?: number },
  ): typeof fetch;
  /**
   * Why a request of this purpose would be refused now, in words; null when it would be sent. With an address, a machine
   * without any network counts as a reason too, unless the address lies on the machine itself.
   */
  refusal(purpose: EgressPurpose, address?: string): string | null;
  setAllowed(purpose: EgressPurpose, allowed: boolean): PurposeState;
  purposes(): PurposeState[];
  cut(): boolean;
  setCut(cut: boolean): void;
  /** Says more of what a request was for. */
  describe(ledgerId: number, what: string): void;
  requestsEver(): number;
  overview(): Overview;
  ledger(options: LedgerPage): { entries: LedgerEntry[]; total: number; hasOlder: boolean };
  totals(by: "host" | "day", limit?: number): LedgerTotal[];
  close(): Promise<void>;
}

export interface LedgerPage {
  readonly before?: number | null | undefined;
  readonly limit?: number | undefined;
  readonly purpose?: EgressPurpose | undefined;
  readonly host?: string | undefined;
}

export interface Overview {
  readonly headline: string;
  readonly detail: string;
  readonly requestsEver: number;
  readonly requestsToday: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly cut: boolean;
  readonly purposes: PurposeState[];
}
