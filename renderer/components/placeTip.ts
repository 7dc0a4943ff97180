interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const gap = 6;
const margin = 4;

/** Below the target and centred on it; above where there is no room; never outside the window. */
export function placeTip(
  target: Box,
  tip: Pick<Box, "width" | "height">,
  view: { readonly width: number; readonly height: number },
): { left: number; top: number } {
  const centred = target.left + target.width / 2 - tip.width / 2;
  const below = target.top + target.height + gap;
  const fits = below + tip.height + margin <= view.height;
  return {
    left: Math.round(Math.max(margin, Math.min(centred, view.width - tip.width - margin))),
    top: Math.round(fits ? below : Math.max(margin, target.top - tip.height - gap)),
  };
}
