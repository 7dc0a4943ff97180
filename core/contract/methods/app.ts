import { z } from "zod";
import { defineMethods } from "./define.ts";

export const Settings = z.object({
  theme: z.enum(["system", "light", "dark"]),
  firstStartDone: z.boolean(),
  /** Tokens; null lets memory and the model decide. */
  contextLimit: z.number().int().min(2048).max(262144).nullable(),
  maxIterations: z.number().int().min(1).max(50),
  sendWithEnter: z.boolean(),
  textSize: z.number().min(0.8).max(2),
  /** A SearXNG-compatible search service for web research, or any address with {query} in it; null or absent means none. */
  searchEngine: z.string().max(500).nullable().optional(),
});
export type Settings = z.infer<typeof Settings>;

export const appMethods = defineMethods({
  "app.info": {
    params: z.object({}),
    result: z.object({
      version: z.string(),
      dataDir: z.string(),
      runtime: z.string(),
      platform: z.string(),
      readOnly: z
        .object({ reason: z.string(), backup: z.object({ path: z.string(), createdAt: z.number() }).nullable() })
        .nullable(),
      /** Requests that left this machine since the profile was made, from the egress ledger. */
      requestsEver: z.number().int(),
    }),
  },
  "settings.get": { params: z.object({}), result: Settings },
  "settings.set": { params: Settings.partial(), result: Settings },
});
