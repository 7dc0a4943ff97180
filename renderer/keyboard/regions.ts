/** F6 goes round the regions of the window: rail, list, sheet, panel. */

export function nextRegion(
  regions: readonly HTMLElement[],
  active: Element | null,
  step: 1 | -1,
): HTMLElement | undefined {
  if (regions.length === 0) return undefined;
  const here = regions.findIndex((region) => region.contains(active));
  if (here === -1) return step === 1 ? regions[0] : regions[regions.length - 1];
  return regions[(here + step + regions.length) % regions.length];
}

/** Moves the focus to the next region's last focused or first focusable element. */
export function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
    (region) => region.getClientRects().length > 0,
  );
  const region = nextRegion(regions, document.activeElement, step);
  if (!region) return;
  const first = region.querySelector<HTMLElement>(
    '[aria-current], [aria-selected="true"], textarea, input, button:not([disabled]), a[href], [tabindex="0"]',
  );
  (first ?? region).focus();
}
