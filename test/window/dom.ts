/** A jsdom window with what jsdom lacks, and a scripted core in it. */
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { forgetEngine } from "../../renderer/hooks/useEngineState.ts";
import { forgetSettings } from "../../renderer/hooks/useSettings.ts";
import { forgetTurns } from "../../renderer/turns/store.ts";
import { createScriptedCore, type Script, type ScriptedCore } from "./scripted-core.ts";

/** Every element is 800 × 600, so that virtual lists have a view to fill. */
class FixedResizeObserver implements ResizeObserver {
  readonly #told: ResizeObserverCallback;
  constructor(told: ResizeObserverCallback) {
    this.#told = told;
  }
  observe(target: Element): void {
    const size = { inlineSize: 800, blockSize: target.classList.contains("scroll") ? 600 : 60 };
    const contentRect = { width: 800, height: size.blockSize } as DOMRectReadOnly;
    const entry = {
      target,
      contentRect,
      contentBoxSize: [size],
      borderBoxSize: [size],
      devicePixelContentBoxSize: [size],
    };
    queueMicrotask(() => this.#told([entry as ResizeObserverEntry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Puts a scripted core and the missing parts of a browser into this test file's window; call at the top of a test. */
export function openWindow(script: Script = {}): ScriptedCore {
  const core = createScriptedCore(script);
  Object.assign(window, { credence: core, ResizeObserver: FixedResizeObserver });
  window.matchMedia = (query: string) =>
    ({
      matches: query.includes("min-width"),
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }) as unknown as MediaQueryList;
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { configurable: true, get: () => document.body });
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  window.location.hash = "";
  return core;
}

// Screens are read when first shown; a crowded machine takes its time over that.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  forgetSettings();
  forgetTurns();
  forgetEngine();
  localStorage.clear();
});
