/**
 * `npm test`: types, format and lint, the project's own rules, unused code, then the unit, integration and desktop
 * tests. Everything runs even after a failure; the last line sums up, and the exit code is 0 only when nothing failed.
 * Names given on the command line choose some of the steps: `npm test -- types unit`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { modulePath, root } from "../electron/build/paths.ts";

interface Tally {
  passed: number;
  failed: number;
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Vitest steps count their tests, the others themselves. */
  readonly report?: string;
}

const bin = (name: string) => modulePath(".bin", name);
const results = join(root, "test-results");

const vitest = (project: string): Step => {
  const report = join(results, `${project}.json`);
  const command = [
    bin("vitest"),
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  return { name: project, command, report };
};

const steps: readonly Step[] = [
  { name: "types", command: [bin("tsc"), "-p", "."] },
  { name: "lint", command: [bin("biome"), "ci", "."] },
  { name: "rules", command: [process.execPath, "test/checks/run.ts"] },
  { name: "unused", command: [bin("knip")] },
  { name: "models", command: [process.execPath, "models/fetch.ts"] },
  vitest("unit"),
  vitest("integration"),
  vitest("desktop"),
];

function run(step: Step): Tally {
  console.log(`\n== ${step.name}`);
  const [command, ...args] = step.command;
  const started = performance.now();
  if (step.report) rmSync(step.report, { force: true });
  const { status } = spawnSync(command!, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  console.log(
    `== ${step.name}: ${status === 0 ? "passed" : "FAILED"} in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  if (!step.report) return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!existsSync(step.report)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(step.report, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
  };
  const tally = { passed: report.numPassedTests, failed: report.numFailedTests };
  // A file that does not load has no failed test, and an error outside any test none either; both fail the step.
  if (status !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`There is no step named ${unknown.join(", ")}. Steps: ${steps.map((step) => step.name).join(", ")}.`);
  process.exit(2);
}
mkdirSync(results, { recursive: true });
const total: Tally = { passed: 0, failed: 0 };
for (const step of steps) {
  if (chosen.length > 0 && !chosen.includes(step.name)) continue;
  const tally = run(step);
  total.passed += tally.passed;
  total.failed += tally.failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
