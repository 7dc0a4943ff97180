/** How long to wait before the next attempt: doubling from a quarter of a second to ten seconds, without chance, so that tests can tell. */
export function backoffMs(failures: number): number {
  return failures <= 0 ? 0 : Math.min(10_000, 250 * 2 ** (failures - 1));
}
