import type { ErrorData } from "../../contract/index.ts";

/** Messages between the client and the parser process. One job at a time runs in a process. */
export type ToParser = {
  readonly type: "run";
  readonly id: number;
  readonly kind: string;
  readonly params: unknown;
  readonly timeMs: number;
  readonly memoryMb: number;
};

export type FromParser =
  | { readonly type: "ready" }
  | {
      readonly type: "progress";
      readonly id: number;
      readonly done: number;
      readonly total: number;
      readonly unit: string;
    }
  | { readonly type: "piece"; readonly id: number; readonly piece: unknown }
  | { readonly type: "done"; readonly id: number; readonly result: unknown; readonly rssMb: number }
  | { readonly type: "failed"; readonly id: number; readonly error: ErrorData; readonly rssMb: number };
