import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { cleanUp, launch, temporaryFolder } from "./support/app.ts";
import { onePagePdf } from "./support/pdf.ts";

const { executable } = inject("desktop");

afterEach(cleanUp);

test("the packaged parser reads what the library is given, and the packaged index finds it", async () => {
  const folder = join(temporaryFolder(), "Unterlagen für später");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "tides.md"),
    "# Tides\n\nThe spring tide at Skerrow reached 4.31 metres on the ninth of March.\n",
  );
  writeFileSync(join(folder, "ships.csv"), "ship,cargo\nMarigold,barley\nPetrel,slate roof tiles\n");
  writeFileSync(
    join(folder, "lamp.pdf"),
    onePagePdf("The lamp burns paraffin and is visible for nineteen nautical miles."),
  );
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await app.call("library.add", { paths: [folder] });
  const ready = await (async () => {
    for (let i = 0; i < 600; i++) {
      const { documents } = await app.call("library.list", {});
      if (documents.length === 3 && documents.every((each) => each.state !== "waiting" && each.state !== "reading"))
        return documents;
      await app.page.waitForTimeout(200);
    }
    throw new Error("The documents were not read within two minutes");
  })();
  expect(ready.map((each) => [each.name, each.state, each.note]).sort()).toEqual([
    ["lamp.pdf", "ready", null],
    ["ships.csv", "ready", null],
    ["tides.md", "ready", null],
  ]);
  for (const [query, document] of [
    ["spring tide at Skerrow", "tides.md"],
    ["slate roof tiles", "ships.csv"],
    ["paraffin lamp nautical miles", "lamp.pdf"],
  ] as const) {
    const { hits } = await app.call("library.search", { query });
    expect(hits[0]?.documentName).toBe(document);
  }
});
