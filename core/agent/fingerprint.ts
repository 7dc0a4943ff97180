/** JSON with the keys of every object sorted, so that equal arguments give equal text whatever order the model wrote them in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.entries(value as Record<string, unknown>)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** What makes two calls the same call: the tool's name and its arguments. */
export function fingerprint(tool: string, args: unknown): string {
  return `${tool}(${canonicalJson(args ?? {})})`;
}
