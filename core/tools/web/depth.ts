/** How deep web research goes. More pages cost more time and leave more traces at more sites. */
export const DEPTHS = ["glance", "quick", "focused", "standard", "thorough", "deep", "exhaustive"] as const;
export type Depth = (typeof DEPTHS)[number];

export interface DepthPreset {
  /** Pages read at most. */
  readonly pages: number;
  /** Questions on the checklist at most. */
  readonly checklist: number;
  /** Searches sent at most. */
  readonly searches: number;
  /** Facts kept at most. */
  readonly facts: number;
}

export const PRESETS: Readonly<Record<Depth, DepthPreset>> = {
  glance: { pages: 1, checklist: 1, searches: 1, facts: 4 },
  quick: { pages: 3, checklist: 2, searches: 1, facts: 8 },
  focused: { pages: 6, checklist: 5, searches: 2, facts: 16 },
  standard: { pages: 10, checklist: 6, searches: 3, facts: 24 },
  thorough: { pages: 16, checklist: 8, searches: 4, facts: 36 },
  deep: { pages: 28, checklist: 10, searches: 6, facts: 56 },
  exhaustive: { pages: 48, checklist: 12, searches: 8, facts: 80 },
};
