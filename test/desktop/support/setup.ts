import type { TestProject } from "vitest/node";
import { type DesktopBuild, packForTests } from "../../../electron/build/desktop-test.ts";
import { ensureDisplay } from "./display.ts";

declare module "vitest" {
  interface ProvidedContext {
    desktop: DesktopBuild;
  }
}

/** Before all desktop tests: a display, and the packaged app. */
export default async function setup(project: TestProject): Promise<() => void> {
  const endDisplay = await ensureDisplay();
  try {
    project.provide("desktop", await packForTests((line) => console.log(line)));
  } catch (thrown) {
    endDisplay();
    throw thrown;
  }
  return endDisplay;
}
