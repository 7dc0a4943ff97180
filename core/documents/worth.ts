const leastWorth = 2;

/** The passages of a document to offer as evidence, best first: at most one for every ten, and twelve in all. */
export function worthOffering(passages: readonly { readonly id: string; readonly worth: number }[]): string[] {
  const most = Math.min(12, Math.max(1, Math.ceil(passages.length / 10)));
  return passages
    .filter(({ worth }) => worth >= leastWorth)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, most)
    .map(({ id }) => id);
}
