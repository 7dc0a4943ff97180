import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRouter, type Router } from "../../../core/agent/index.ts";
import { silentLog } from "../../../core/platform/index.ts";
import { startEngine } from "../models.ts";

const engine = startEngine();
let router: Router;
beforeAll(async () => {
  const embedder = await engine.loadEmbedder();
  router = createRouter({ embedder: async () => embedder, log: silentLog });
});
afterAll(() => engine.close());

it("the harness on the starter's embedder looks in the right place for nine of ten messages that it was not trained on", async () => {
  for (const name of ["held-out", "other-voices"]) {
    const data = JSON.parse(
      readFileSync(new URL(`../../fixtures/routing/${name}.json`, import.meta.url), "utf8"),
    ) as Record<string, string[]>;
    let right = 0;
    let total = 0;
    for (const [action, messages] of Object.entries(data)) {
      for (const message of messages) {
        total++;
        right += Number((await router.route(message)).action === action);
      }
    }
    console.log(`routing, ${name}: ${(right / total).toFixed(3)} of ${total}`);
    expect(right / total).toBeGreaterThanOrEqual(0.9);
  }
});
