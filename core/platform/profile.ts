import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The profile's folder: the one named, CREDENCE_HOME, or the platform's place for application data. */
export function profileFolder(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const chosen = option ?? env["CREDENCE_HOME"];
  if (chosen) return resolve(chosen);
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "Credence");
  if (process.platform === "win32") return join(env["APPDATA"] ?? join(homedir(), "AppData", "Roaming"), "Credence");
  return join(env["XDG_DATA_HOME"] || join(homedir(), ".local", "share"), "credence");
}
