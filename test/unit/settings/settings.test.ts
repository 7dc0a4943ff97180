import { expect, test } from "vitest";
import { createSettings } from "../../../core/settings/index.ts";
import { migratedDatabase } from "../../support/profile.ts";

test("settings are kept one by one, and told to listeners as a whole", () => {
  const db = migratedDatabase();
  const told: unknown[] = [];
  createSettings({ db, onChanged: (settings) => told.push(settings.theme) }).set({ theme: "dark" });
  expect(createSettings({ db }).get()).toMatchObject({ theme: "dark", maxIterations: 12 });
  expect(told).toEqual(["dark"]);
});

test("a damaged or outdated value falls back to its default and harms no other", () => {
  const db = migratedDatabase();
  const store = createSettings({ db });
  store.set({ textSize: 1.25 });
  db.exec(`INSERT INTO settings (key, value) VALUES ('theme', '"plaid"'), ('maxIterations', '{broken'), ('gone', '1')`);
  expect(store.get()).toMatchObject({ theme: "system", maxIterations: 12, textSize: 1.25 });
});
