/**
 * `npm run dist`: installers for the system it runs on, in `release/`. Only with the official Electron that package.json
 * names, and only with all starter models inside.
 */
import { fetchStarterModels, weightsFolder } from "../../models/fetch.ts";
import { build } from "./build.ts";
import { withLock } from "./lock.ts";
import { pack } from "./pack.ts";
import { officialRuntime } from "./runtime.ts";

const say = (line: string) => console.error(line);

async function main(): Promise<number> {
  const runtime = officialRuntime(say);
  if (!runtime) {
    say("Releases are made with the official Electron only, and it cannot be downloaded here.");
    return 1;
  }
  const models = await fetchStarterModels({ folder: weightsFolder, filesFrom: process.env["CREDENCE_MODELS_DIR"] });
  const missing = models.filter((result) => result.error);
  for (const { error } of missing) say(error!.message);
  if (missing.length > 0) return 1;
  await build({ say });
  for (const file of await withLock("pack", () => pack(runtime, { dir: false }))) console.log(file);
  return 0;
}

process.exitCode = await main();
