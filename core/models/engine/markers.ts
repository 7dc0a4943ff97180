/**
 * Watches a stream for any of several marker texts, wherever chunks are cut: text before a marker is passed on, text that
 * may still become one is held back.
 */
export class MarkerWatch {
  readonly #markers: readonly string[];
  #held = "";

  constructor(markers: readonly string[]) {
    this.#markers = [...new Set(markers)].filter((marker) => marker !== "");
  }

  /** The text that is certainly before every marker, and the marker when one has come. After that, feed no more. */
  feed(text: string): { text: string; marker: string | null; rest: string } {
    return this.#scan(this.#held + text, false);
  }

  /** The stream has ended: what is held is text, up to a marker that a longer one could have hidden. */
  end(): { text: string; marker: string | null; rest: string } {
    return this.#scan(this.#held, true);
  }

  #scan(whole: string, final: boolean): { text: string; marker: string | null; rest: string } {
    let first = -1;
    let found: string | null = null;
    for (const marker of this.#markers) {
      const at = whole.indexOf(marker);
      // Of markers that begin at one place the longest wins, so that what is left over does not depend on their order.
      if (at >= 0 && (first < 0 || at < first || (at === first && marker.length > found!.length))) {
        first = at;
        found = marker;
      }
    }
    const held = final ? 0 : this.#heldLength(whole);
    // A marker that begins earlier may still be on its way.
    if (found !== null && first <= whole.length - held) {
      this.#held = "";
      return { text: whole.slice(0, first), marker: found, rest: whole.slice(first + found.length) };
    }
    this.#held = whole.slice(whole.length - held);
    return { text: whole.slice(0, whole.length - held), marker: null, rest: "" };
  }

  #heldLength(whole: string): number {
    let held = 0;
    for (const marker of this.#markers) {
      for (let length = Math.min(marker.length - 1, whole.length); length > held; length--) {
        if (marker.startsWith(whole.slice(whole.length - length))) held = length;
      }
    }
    return held;
  }
}
