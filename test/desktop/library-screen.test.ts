import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { library as words } from "../../renderer/words/library.ts";
import { shared } from "../../renderer/words/shared.ts";
import { pdf } from "../fixtures/documents/build/pdf.ts";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");

afterEach(cleanUp);

const report = pdf([
  { texts: [{ x: 60, y: 700, text: "A report on the weir, with nothing of interest on its first page." }] },
  { texts: [{ x: 60, y: 640, text: "Of 118 tagged silver eels 97 crossed between sunset and sunrise." }] },
]);

async function settled(app: RunningApp, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { documents } = await app.call("library.list", { limit: 1000 });
        return documents.filter((each) => each.state === "ready" || each.state === "duplicate").length;
      },
      { timeout: 120_000, interval: 300 },
    )
    .toBe(count);
}

test("a passage is found and opened in its page with the words marked; a removed document can be taken back", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "eel report.pdf"), report);
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await app.call("library.add", { paths: [folder] });
  await settled(app, 1);
  await app.page.evaluate(() => {
    window.location.hash = "#/library/search?q=tagged+silver+eels";
  });
  await app.page.getByRole("link", { name: /p\. 2/ }).click();
  const page = app.page.locator(".library-page img");
  await page.waitFor({ timeout: 60_000 });
  expect(await page.getAttribute("alt")).toBe(words.pageOf("2", "2"));
  const mark = app.page.locator(".library-mark");
  expect(await mark.count()).toBe(1);
  // The words stand at 640 of 842 points from the bottom: about a quarter of the way down.
  const [whole, marked] = [await page.boundingBox(), await mark.boundingBox()];
  expect((marked!.y - whole!.y) / whole!.height).toBeCloseTo(0.23, 1);

  await app.page.evaluate(() => {
    window.location.hash = "#/library/all";
  });
  await app.page.locator(".library-row", { hasText: "eel report.pdf" }).click();
  await app.page.getByRole("button", { name: words.remove }).click();
  await app.page.getByRole("alertdialog").getByRole("button", { name: words.remove }).click();
  await app.page.getByText(words.emptyTitle).waitFor();
  expect((await app.call("library.search", { query: "silver eels" })).hits).toEqual([]);
  await app.page.getByRole("button", { name: shared.undo }).click();
  await app.page.locator(".library-row", { hasText: "eel report.pdf" }).waitFor();
  expect((await app.call("library.search", { query: "tagged silver eels" })).hits[0]?.place).toBe("p. 2");
  expect(app.complaints).toEqual([]);
});

test("a folder that is being read goes on after the app is killed in the middle", async () => {
  const folder = join(temporaryFolder(), "many");
  mkdirSync(folder);
  for (let i = 0; i < 300; i++)
    writeFileSync(join(folder, `${i}.md`), `# File ${i}\n\n${`Line ${i} of the count. `.repeat(200)}`);
  const dataDir = temporaryFolder();
  let app = await launch({ executable, dataDir, firstStartDone: true });
  await app.call("library.add", { paths: [folder] });
  await expect
    .poll(async () => (await app.call("library.overview", {})).queue.done, { timeout: 60_000 })
    .toBeGreaterThan(3);
  await app.kill();
  app = await launch({ executable, dataDir });
  await app.call("app.startup", {});
  await settled(app, 300);
  expect((await app.call("library.search", { query: "File 299" })).hits[0]?.documentName).toBe("299.md");
});
