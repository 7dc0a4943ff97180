import { useEffect } from "react";
import { importModels, isGguf } from "../hooks/useModels.ts";
import { models } from "../words/models.ts";
import { registerDrop } from "./registry.ts";

/** A GGUF that is dropped anywhere becomes a model. */
export function useModelDrop(): void {
  useEffect(
    () =>
      registerDrop({
        id: "models",
        hint: models.dropHint,
        takes: isGguf,
        run: (paths) => {
          importModels(paths);
        },
      }),
    [],
  );
}
