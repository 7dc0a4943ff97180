/** A command line as words: single and double quotes keep spaces, a backslash keeps the next letter. No shell runs it. */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let quote: '"' | "'" | null = null;
  let begun = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!;
    if (letter === "\\" && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word += line[at];
      begun = true;
    } else if (quote) {
      if (letter === quote) quote = null;
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      begun = true;
    } else if (/\s/.test(letter)) {
      if (begun) words.push(word);
      word = "";
      begun = false;
    } else {
      word += letter;
      begun = true;
    }
  }
  if (begun) words.push(word);
  return words;
}
