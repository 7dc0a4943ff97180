/**
 * `npm run screens`: pictures of every screen in both themes, from the packaged app with data made through its own
 * methods, in test/desktop/__screens__. Names are `SCREEN-THEME.png`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packForTests } from "../../electron/build/desktop-test.ts";
import { launch, type RunningApp } from "./support/app.ts";
import { ensureDisplay } from "./support/display.ts";
import { onePagePdf } from "./support/pdf.ts";

const out = join(import.meta.dirname, "__screens__");
const themes = ["light", "dark"] as const;

const notes = `# Nights with the heat pump

## January

The heat pump drew 1.9 kWh on the night of the 14th at -6 °C outside, measured at the meter between 22:00 and 06:00.
On the 21st, at 3 °C, it drew 1.1 kWh over the same hours.

## What the installer said

He expects a seasonal factor of 3.4. He did not measure it.
`;

const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour notes</title><link>https://harbour.example/</link>
<description>Tides and ships</description>
<item><title>Spring tide measured at 4.31 metres</title><guid>1</guid><pubDate>Mon, 09 Mar 2026 08:00:00 GMT</pubDate>
<description>The gauge at Skerrow read 4.31 metres at 07:42, 12 centimetres above the forecast.</description></item>
<item><title>The lamp goes electric</title><guid>2</guid><pubDate>Tue, 10 Mar 2026 08:00:00 GMT</pubDate>
<description>From May the light burns no more paraffin. Its range stays nineteen nautical miles.</description></item>
</channel></rss>`;

/** Waits until a condition of the core holds, or for two minutes. */
async function until(app: RunningApp, holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600 && !(await holds()); i++) await app.page.waitForTimeout(200);
}

async function fillLibrary(app: RunningApp, folder: string): Promise<void> {
  const documents = join(folder, "Papers");
  mkdirSync(documents);
  writeFileSync(join(documents, "heat-pump.md"), notes);
  writeFileSync(join(documents, "nights.csv"), "night,outside °C,kWh\n2026-01-14,-6,1.9\n2026-01-21,3,1.1\n");
  writeFileSync(
    join(documents, "light.pdf"),
    onePagePdf("The lamp burns paraffin and is visible for nineteen nautical miles."),
  );
  await app.call("library.add", { paths: [documents] });
  await until(app, async () => {
    const { documents: all } = await app.call("library.list", {});
    return all.length === 3 && all.every((each) => each.state === "ready");
  });
}

async function fillTheRest(app: RunningApp, folder: string): Promise<void> {
  const subscription = join(folder, "harbour.xml");
  writeFileSync(subscription, feed);
  await app.call("feeds.addFile", { path: subscription });
  await app.call("memory.remember", { text: "My sister Ada lives in Skerrow and repairs clocks." });
  await app.call("beliefs.add", {
    text: "Measured over 31 nights with a calibrated meter, the heat pump drew 1.4 kWh a night on average, 38 % less than the oil burner did in the same month of the year before.",
    title: "Meter log, January",
  });
  await app.call("beliefs.add", {
    text: "A randomised trial of 412 homes found that lowering the flow temperature by 5 °C raised the seasonal factor of heat pumps by 9 to 12 percent.",
    title: "Trial report",
  });
}

async function shoot(app: RunningApp, name: string): Promise<void> {
  for (const theme of themes) {
    await app.call("settings.set", { theme });
    await app.page.mouse.move(640, 818);
    await app.page.waitForTimeout(700);
    await app.page.screenshot({ path: join(out, `${name}-${theme}.png`) });
  }
}

async function goTo(app: RunningApp, hash: string): Promise<void> {
  await app.page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await app.page.waitForTimeout(1200);
}

const endDisplay = await ensureDisplay();
const work = mkdtempSync(join(tmpdir(), "credence-screens-"));
const { executable } = await packForTests((line) => console.error(line));
mkdirSync(out, { recursive: true });
const app = await launch({ executable, dataDir: join(work, "profile") });
try {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(1280, 820));
  await app.call("app.startup", {});
  await app.page.waitForTimeout(1500);
  await shoot(app, "first-start");
  await app.chat.begin();
  await shoot(app, "chat-empty");
  await fillLibrary(app, work);
  await app.chat.ask("What did the heat pump draw on the night of the 14th, according to my notes?");
  await app.chat.waitForAnswers(1, 300_000);
  await shoot(app, "chat");
  const [conversation] = await app.call("conversations.list", {});
  await goTo(app, `#/chat/${conversation!.id}/turn`);
  await shoot(app, "inspector");
  await fillTheRest(app, work);
  const rail = await app.page
    .locator("nav.rail a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  for (const href of rail) {
    const screen = /^#\/([a-z]+)/.exec(href)?.[1];
    if (!screen || screen === "chat") continue;
    await goTo(app, `#/${screen}`);
    await shoot(app, screen);
  }
  await goTo(app, "#/chat");
  await app.page.keyboard.press("Control+K");
  await app.page.waitForTimeout(500);
  await shoot(app, "palette");
  if (app.complaints.length > 0) console.error(`The page complained:\n${app.complaints.join("\n")}`);
} finally {
  await app.quit();
  endDisplay();
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
