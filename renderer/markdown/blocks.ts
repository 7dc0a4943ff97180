/**
 * Cuts streamed Markdown into top-level blocks so that only the last one is drawn anew with each token. The cut is
 * stable: adding text to the end never changes a block that is not the last, which is what makes each block's drawing
 * reusable by its text alone. Joining the blocks gives the text back, letter for letter.
 */
const fence = /^ {0,3}(`{3,}|~{3,})/;
const mathFence = /^ {0,3}\$\$/;
const bracketMath = /^ {0,3}\\\[/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
/** What could still become a list item while its line is being written. */
const perhapsListItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)]?)?$/;

interface OpenBlock {
  readonly start: number;
  list: boolean;
}

export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: OpenBlock = { start: 0, list: false };
  let inside: { close: RegExp } | null = null;
  let afterBlank = false;
  let begun = false;
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline + 1;
    const whole = newline !== -1;
    const line = text.slice(at, whole ? newline : end);
    if (inside) {
      if (inside.close.test(line)) inside = null;
      afterBlank = false;
    } else if (line.trim() === "") {
      afterBlank = begun;
    } else {
      if (afterBlank && startsBlock(line, whole, block.list)) {
        blocks.push(text.slice(block.start, at));
        block = { start: at, list: false };
      }
      if (afterBlank || !begun) block.list ||= listItem.test(line);
      begun = true;
      afterBlank = false;
      inside = opens(line);
    }
    at = end;
  }
  if (block.start < text.length) blocks.push(text.slice(block.start));
  return blocks;
}

/** After a blank line: does this line stand on its own, for certain, whatever is still to come on it? */
function startsBlock(line: string, whole: boolean, inList: boolean): boolean {
  if (!inList) {
    // Indented text may continue what is above (a footnote, a code block with blank lines).
    return /^ {0,3}\S/.test(line);
  }
  if (/^\s/.test(line)) return false;
  if (listItem.test(line)) return false;
  return whole || !perhapsListItem.test(line);
}

function opens(line: string): { close: RegExp } | null {
  const code = fence.exec(line);
  if (code) {
    const mark = code[1]!;
    const info = line.slice(code[0].length);
    if (mark[0] === "`" && info.includes("`")) return null; // inline code, not a fence
    return { close: new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`) };
  }
  if (mathFence.test(line) && !/\$\$.*\$\$/.test(line)) return { close: /\$\$\s*$/ };
  if (bracketMath.test(line) && !line.includes("\\]")) return { close: /\\\]\s*$/ };
  return null;
}

/** Whether the block is a code fence that has not been closed yet. */
export function isOpenFence(block: string): boolean {
  const first = block.replace(/^\n+/, "").split("\n", 1)[0] ?? "";
  const code = fence.exec(first);
  if (!code) return false;
  const mark = code[1]!;
  const close = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
  return !block
    .replace(/^\n+/, "")
    .split("\n")
    .slice(1)
    .some((line) => close.test(line));
}
