/** Which addresses of a model's text stay: parsed https: and mailto: links. Everything else loses its address. */
export function safeLink(address: string): string | null {
  try {
    const url = new URL(address);
    if (url.protocol === "mailto:") return url.href;
    if (url.protocol !== "https:" && url.protocol !== "http:") return null;
    if (url.username !== "" || url.password !== "") return null;
    return url.href;
  } catch {
    return null;
  }
}

/** The host of an address, for saying where an image would have come from. */
export function hostOf(address: string): string | null {
  try {
    return new URL(address).host || null;
  } catch {
    return null;
  }
}
