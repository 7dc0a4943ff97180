/** `npm run bench -- NAME [ARGUMENTS]`: runs test/bench/NAME.ts in a fresh process; without a name, lists them. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(folder)
  .filter(
    (name) => name.endsWith(".ts") && name !== "run.ts" && readFileSync(join(folder, name), "utf8").startsWith("/**"),
  )
  .map((name) => name.slice(0, -3));
const [name, ...args] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  console.error(`${name ? `There is no benchmark named ${name}. ` : ""}Benchmarks: ${names.join(", ")}.`);
  process.exit(2);
}
process.exitCode = spawnSync(process.execPath, [join(folder, `${name}.ts`), ...args], { stdio: "inherit" }).status ?? 1;
