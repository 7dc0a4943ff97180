import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Connection, migrate, migrations, schemaVersion } from "../../../core/storage/index.ts";

test("versions ascend, and each migration file is registered and has a test of its own", () => {
  const files = readdirSync(new URL("../../../core/storage/migrations", import.meta.url))
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => Number(name.slice(0, 4)));
  const tests = readdirSync(new URL("./migrations", import.meta.url)).map((name) => Number(name.slice(0, 4)));
  const versions = migrations.map((migration) => migration.version);
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  expect(files.sort((a, b) => a - b)).toEqual(versions);
  expect(versions.filter((version) => !tests.includes(version))).toEqual([]);
});

test("all migrations in one go and one by one give the same schema", () => {
  const whole = new Connection(":memory:");
  migrate(whole, migrations);
  const stepped = new Connection(":memory:");
  for (let i = 1; i <= migrations.length; i++) migrate(stepped, migrations.slice(0, i));
  const schema = (db: Connection) => db.read<{ sql: string }>("SELECT sql FROM sqlite_master ORDER BY name").all();
  expect(schema(stepped)).toEqual(schema(whole));
  expect(schemaVersion(whole)).toBe(migrations.at(-1)!.version);
});

test("a list that does not ascend is a mistake of ours and is refused", () => {
  const step = (version: number) => ({ version, name: `v${version}`, up: () => 0 });
  expect(() => migrate(new Connection(":memory:"), [step(2), step(1)])).toThrow(/must come after/);
});
