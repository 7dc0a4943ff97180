import type { Line } from "./layout.ts";
import { lineHyphen } from "./runs.ts";

const brokenWord = new RegExp(`(\\p{L}[\\p{L}\\p{M}’']*)([-\\u00ad\\u2010${lineHyphen}])$`, "u");

/**
 * Turns pages of lines into text. A word broken by a hyphen at the end of a line is put together again; the hyphen
 * stays where the document itself writes the word with one elsewhere, or where what follows is no small letter.
 */
export function rejoinWords(pages: readonly (readonly Line[])[]): string[] {
  const known = wordsOf(pages);
  return pages.map((lines) => {
    let text = "";
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const next = lines[i + 1];
      const current = line.text;
      if (i > 0 && line.gapBefore && !text.endsWith("\n\n") && text.endsWith("\n")) text += "\n";
      const broken = next ? brokenWord.exec(current) : null;
      const rest = broken ? /^\p{Ll}[\p{L}\p{M}’']*/u.exec(next!.text) : null;
      if (!broken || !rest) {
        text += `${settle(current)}\n`;
        continue;
      }
      const withHyphen = `${broken[1]}-${rest[0]}`.toLowerCase();
      const without = `${broken[1]}${rest[0]}`.toLowerCase();
      const keep = broken[2] !== "\u00ad" && known.has(withHyphen) && !known.has(without);
      text += settle(current.slice(0, -1)) + (keep ? "-" : "");
    }
    return text.replace(/\n+$/, "");
  });
}

/** A hyphen mark that stayed within or at the end of a line is a hyphen; soft hyphens inside a line are nothing. */
function settle(text: string): string {
  return text.replaceAll(lineHyphen, "-").replaceAll("\u00ad", "");
}

function wordsOf(pages: readonly (readonly Line[])[]): Set<string> {
  const words = new Set<string>();
  for (const lines of pages) {
    for (const line of lines) {
      for (const match of line.text.matchAll(/\p{L}[\p{L}\p{M}’']*(?:[-\u2010]\p{L}[\p{L}\p{M}’']*)*/gu)) {
        words.add(match[0].replaceAll("\u2010", "-").toLowerCase());
      }
    }
  }
  return words;
}
