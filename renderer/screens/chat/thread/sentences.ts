/** The whole sentences of `text` after `from`; at the end of the text whatever is left counts as one. */
export function newSentences(text: string, from: number, ended: boolean): { text: string; length: number } {
  const rest = text.slice(from);
  if (ended) return { text: plainWords(rest), length: text.length };
  let end = -1;
  for (const match of rest.matchAll(/[.!?…。！？]["”’)\]]*(?=\s)|\n{2,}/gu)) end = match.index + match[0].length;
  if (end === -1) return { text: "", length: from };
  return { text: plainWords(rest.slice(0, end)), length: from + end };
}

/** Without the marks of Markdown, which nobody wants to hear. */
const plainWords = (markdown: string): string =>
  markdown
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/[*_`#>|]+/g, "")
    .replace(/\[(\d{1,3})\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
