import { act } from "../hooks/useAction.ts";
import { dropPaths } from "./registry.ts";

/** Chooses files in the system's dialog and deals them out as a drop would. */
export async function attachFiles(): Promise<void> {
  const chosen = await act("shell.openFiles", { kind: "any", multiple: true });
  if (chosen && chosen.value.paths.length > 0) dropPaths(chosen.value.paths);
}

/** Chooses folders and deals them out as a drop would. */
export async function attachFolders(): Promise<void> {
  const chosen = await act("shell.openFiles", { choose: "folders", multiple: true });
  if (chosen && chosen.value.paths.length > 0) dropPaths(chosen.value.paths);
}
