import { defineConfig } from "vitest/config";

/**
 * One project a kind of test. `unit` needs nothing but Node; `integration` needs the starter models; the desktop tests
 * drive the packaged app. Window tests name jsdom themselves (`// @vitest-environment jsdom`).
 */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.{ts,tsx}"], testTimeout: 30_000 } },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "desktop",
          include: ["test/desktop/**/*.test.ts"],
          globalSetup: ["test/desktop/support/setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
