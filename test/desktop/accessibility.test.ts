import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");
let app: RunningApp;

beforeAll(async () => {
  app = await launch({ executable, dataDir: temporaryFolder() });
});
afterAll(cleanUp);

/** What axe finds wrong by WCAG 2.2 AA: the rule, and where. */
async function violations(): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page: app.page as never })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    // Electron has no second page to collect results of frames in; the app has no frames.
    .setLegacyMode(true)
    .analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}`));
}

async function inBothThemes(where: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await app.call("settings.set", { theme });
    await app.page.waitForTimeout(400);
    expect(await violations(), `${where}, ${theme}`).toEqual([]);
  }
}

test("the first start, and every screen of the rail, is accessible in both themes", async () => {
  await app.call("app.startup", {});
  await app.page.getByRole("main").first().waitFor();
  await inBothThemes("first start");
  await app.chat.begin();
  const links = await app.page
    .locator("nav.rail a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(3);
  for (const href of links) {
    await app.page.evaluate((to) => {
      location.hash = to;
    }, href);
    await app.page.waitForTimeout(800);
    await inBothThemes(href);
  }
});
