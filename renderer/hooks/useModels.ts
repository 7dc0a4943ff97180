import type { InstalledModel, Machine } from "../../core/contract/index.ts";
import { toast } from "../components/toasts.ts";
import { models as words } from "../words/models.ts";
import { asProblem, call } from "./bridge.ts";
import { type CallState, useCall } from "./useCall.ts";
import { useEvent } from "./useEvent.ts";

export type { InstalledModel, Machine };

export interface Models extends Omit<CallState<{ models: InstalledModel[]; machine: Machine }>, "set"> {
  readonly chat: readonly InstalledModel[];
  readonly active: InstalledModel | undefined;
}

/** The installed models and the machine, kept up to date. */
export function useModels(): Models {
  const { data, problem, loading, reload, set } = useCall("models.list", {});
  useEvent("models.changed", (event) => set((before) => before && { ...before, models: event.models }));
  const chat = data?.models.filter((model) => model.role === "chat") ?? [];
  return { data, problem, loading, reload, chat, active: chat.find((model) => model.active) };
}

export const isGguf = (path: string): boolean => /\.gguf$/i.test(path);

/** Takes GGUF files in where they lie; the last one is used at once. Says what happened for each. */
export async function importModels(paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) {
    try {
      const model = await call("models.import", { path, use: index === paths.length - 1 });
      toast({ text: model.role === "chat" ? words.imported(model.name) : words.importedOther(model.name) });
    } catch (thrown) {
      toast({ text: asProblem(thrown).message, tone: "problem" });
    }
  }
}

/** Lets the user choose GGUF files in the system's dialog. */
export async function chooseModels(): Promise<void> {
  try {
    const { paths } = await call("shell.openFiles", { title: words.chooseTitle, kind: "models", multiple: true });
    await importModels(paths);
  } catch (thrown) {
    toast({ text: asProblem(thrown).message, tone: "problem" });
  }
}
