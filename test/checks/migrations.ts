import type { Problem, SourceFile } from "./source.ts";

const migration = /^core\/storage\/migrations\/(\d{4})-[^/]+\.ts$/;

/** Every migration is registered, has a number of its own, and a test of that number. */
export function checkMigrations(files: readonly SourceFile[]): Problem[] {
  const problems: Problem[] = [];
  const paths = new Set(files.map((file) => file.path));
  const registered = files.find((file) => file.path === "core/storage/migrations/index.ts")?.text ?? "";
  const seen = new Map<string, string>();
  for (const { path } of files) {
    const number = migration.exec(path)?.[1];
    if (number === undefined) continue;
    const add = (rule: string, remedy: string) => problems.push({ file: path, line: 1, rule, remedy });
    const test = `test/unit/storage/migrations/${number}.test.ts`;
    if (!paths.has(test))
      add("is a migration without a test", `Write ${test}: rows of the version before, migrated, read back.`);
    const twin = seen.get(number);
    if (twin) add(`has the number of ${twin}`, "Take the next free number; numbers that were released stay.");
    seen.set(number, path);
    if (!registered.includes(`./${path.split("/").at(-1)}"`)) {
      add("is not registered", "Add it to core/storage/migrations/index.ts, in ascending order.");
    }
  }
  return problems;
}
