import type { Handlers } from "../contract/index.ts";
import type { ModelService } from "./service.ts";

export function modelHandlers(
  models: ModelService,
): Pick<Handlers, "models.list" | "models.import" | "models.use" | "models.remove" | "models.unload"> {
  return {
    "models.list": () => models.list(),
    "models.import": (params) => models.import(params),
    "models.use": ({ id }) => models.use(id),
    "models.remove": async ({ id }) => {
      await models.remove(id);
      return null;
    },
    "models.unload": async () => {
      await models.unload();
      return null;
    },
  };
}
