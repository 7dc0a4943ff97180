/** JSON on one line is laid out for reading; everything else, and whatever is not whole yet, stays as it is. */
export function readable(text: string, complete: boolean): string {
  const trimmed = text.trim();
  if (!complete || !/^[[{]/.test(trimmed) || trimmed.length > 2_000_000 || trimmed.includes("\n")) return text;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return text;
  }
}
