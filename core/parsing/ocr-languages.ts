import { existsSync, readdirSync } from "node:fs";

/** Languages whose data for text recognition is in a folder: `eng.traineddata`, packed with gzip or not. */
export function installedLanguages(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).map((name) => /^([\w-]+)\.traineddata(?:\.gz)?$/.exec(name)?.[1]);
  return [...new Set(names.filter((name): name is string => name !== undefined && name !== "osd"))].sort();
}
