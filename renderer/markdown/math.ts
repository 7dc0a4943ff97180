/**
 * Models write formulas as `\( … \)`, `\[ … \]`, `$ … $` and `$$ … $$`; prices are written with `$` too. This brings the
 * brackets to dollars, and escapes single dollars that cannot be a formula by pandoc's rule: the opening one is followed
 * by no space, the closing one follows no space and stands before no digit. Code is left alone.
 */
const parts =
  /(^ {0,3}(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}(?:`{3,}|~{3,})\s*$|$(?![\s\S]))|`+[^`\n]*`+|\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]|\\\([\s\S]*?\\\)|\\\$)/gm;

export function normalizeMath(markdown: string): string {
  if (!/[$\\]/.test(markdown)) return markdown;
  let result = "";
  let last = 0;
  for (const match of markdown.matchAll(parts)) {
    result += singleDollars(markdown.slice(last, match.index)) + rewrite(match[0]);
    last = match.index + match[0].length;
  }
  return result + singleDollars(markdown.slice(last));
}

function rewrite(part: string): string {
  if (part.startsWith("\\[")) return `\n$$\n${part.slice(2, -2).trim()}\n$$\n`;
  if (part.startsWith("\\(")) return `$${part.slice(2, -2).trim()}$`;
  if (part.startsWith("$$")) {
    const inner = part.slice(2, -2).trim();
    return inner === "" ? part : `\n$$\n${inner}\n$$\n`;
  }
  return part;
}

/** Pairs dollars within one paragraph; whatever is left over is escaped. */
function singleDollars(text: string): string {
  if (!text.includes("$")) return text;
  return text
    .split(/(\n\s*\n)/)
    .map((paragraph) => {
      const formula = /\$(?=\S)((?:\\.|[^$\\])*?[^\s\\$])\$(?!\d)/g;
      let out = "";
      let last = 0;
      for (const match of paragraph.matchAll(formula)) {
        out += escapeDollars(paragraph.slice(last, match.index)) + match[0];
        last = match.index + match[0].length;
      }
      return out + escapeDollars(paragraph.slice(last));
    })
    .join("");
}

const escapeDollars = (text: string): string => text.replace(/\$/g, "\\$");
