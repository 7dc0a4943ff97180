import type { z } from "zod";

/** One callable method: what it takes and what it gives back. Both are checked at the process boundary. */
export interface MethodSpec {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

/** Declares the methods of one area. */
export function defineMethods<const Table extends Record<string, MethodSpec>>(table: Table): Table {
  return table;
}
