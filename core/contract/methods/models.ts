import { z } from "zod";
import { ModelId } from "../ids.ts";
import { defineMethods } from "./define.ts";

export const InstalledModel = z.object({
  id: ModelId,
  name: z.string(),
  fileName: z.string(),
  path: z.string(),
  role: z.enum(["chat", "embed", "rerank"]),
  starter: z.boolean(),
  sizeBytes: z.number(),
  architecture: z.string(),
  parameters: z.number().nullable(),
  quantization: z.string().nullable(),
  trainedContext: z.number().int(),
  /** The context window it would get (or has) on this machine, in tokens. */
  window: z.number().int(),
  memoryBytes: z.number(),
  fits: z.enum(["yes", "tight", "no"]),
  licence: z.string().nullable(),
  active: z.boolean(),
  state: z.enum(["idle", "loading", "ready", "failed"]),
  loadProgress: z.number().min(0).max(1).nullable(),
  problem: z.string().nullable(),
  tokensPerSecond: z.number().nullable(),
  profile: z
    .object({
      checkedAt: z.number(),
      proposer: z.enum(["native", "grammar", "harness"]),
      nativeCalls: z.number(),
      grammarChoice: z.number(),
      copiesFacts: z.number(),
      followsSystem: z.number(),
      languages: z.array(z.string()),
      recallsBack: z.number().int(),
    })
    .nullable(),
});
export type InstalledModel = z.infer<typeof InstalledModel>;

export const Machine = z.object({
  memoryBytes: z.number(),
  freeMemoryBytes: z.number(),
  physicalCores: z.number().int(),
  gpu: z.string().nullable(),
  gpuMemoryBytes: z.number().nullable(),
  /** The largest model, in billions of parameters at about 4 bits, that would fit now. */
  suggestedBillions: z.number(),
});
export type Machine = z.infer<typeof Machine>;

export const modelMethods = defineMethods({
  "models.list": { params: z.object({}), result: z.object({ models: z.array(InstalledModel), machine: Machine }) },
  /** Checks a GGUF where it lies and adds it to the list; `copy` also copies it into the data folder, `session` lets it answer in this process alone. */
  "models.import": {
    params: z.object({
      path: z.string().min(1),
      copy: z.boolean().optional(),
      use: z.boolean().optional(),
      session: z.boolean().optional(),
    }),
    result: InstalledModel,
  },
  "models.use": { params: z.object({ id: ModelId }), result: InstalledModel },
  /** Forgets a model. Files that Credence copied are deleted, files that it only points to stay. */
  "models.remove": { params: z.object({ id: ModelId }), result: z.null() },
  "models.unload": { params: z.object({}), result: z.null() },
});
