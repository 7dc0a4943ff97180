/**
 * Language models on this machine: installed, chosen, loaded in a process of their own, and asked. Whatever happens to that
 * process, callers get a typed error and the next call works.
 */
import { ModelService, type ModelsDeps } from "./service.ts";

export { modelHandlers } from "./handlers.ts";
export type { ModelService, ModelsDeps } from "./service.ts";
export type { ModelProfile, ModelRecord } from "./store.ts";
export type * from "./types.ts";

export function createModels(deps: ModelsDeps): ModelService {
  return new ModelService(deps);
}
