/** The project's own rules: layers, forbidden imports and texts, migrations with tests. Ends with 1 when one is broken. */
import { checkImports, checkTexts } from "./forbidden.ts";
import { checkLayers } from "./layers.ts";
import { checkMigrations } from "./migrations.ts";
import { projectFiles } from "./source.ts";

const files = projectFiles();
const problems = [...checkLayers(files), ...checkImports(files), ...checkTexts(files), ...checkMigrations(files)];
for (const problem of problems) {
  console.error(`${problem.file}:${problem.line} ${problem.rule}.\n  ${problem.remedy}`);
}
console.log(problems.length === 0 ? `Rules kept in ${files.length} files.` : `${problems.length} rules broken.`);
process.exitCode = problems.length === 0 ? 0 : 1;
