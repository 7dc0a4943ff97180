export interface Piece {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Sentences with the blank that follows them: joined again, they are the text to the letter. */
export function pieces(text: string): string[] {
  return text.split(/(?<=[.!?\n]\s*)(?<=\s)(?=\S)/u).filter(Boolean);
}

/** What one text has that the other lacks, sentence by sentence (longest common subsequence). */
export function compare(before: string, after: string): Piece[] {
  const a = pieces(before);
  const b = pieces(after);
  const same = (i: number, j: number) => a[i]!.trim() === b[j]!.trim();
  const longest = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i]![j] = same(i, j) ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const out: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && same(i, j)) {
      out.push({ kind: "same", text: b[j]! });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      out.push({ kind: "removed", text: a[i++]! });
    } else out.push({ kind: "added", text: b[j++]! });
  }
  return out;
}

/** Paragraphs of pieces: a line end closes one, unless what was removed there is replaced by what follows. */
export function paragraphs(parts: readonly Piece[]): Piece[][] {
  const out: Piece[][] = [[]];
  for (const [i, part] of parts.entries()) {
    out.at(-1)!.push(part);
    const replaced = part.kind === "removed" && parts[i + 1]?.kind === "added";
    if (/\n\s*$/.test(part.text) && !replaced) out.push([]);
  }
  return out.filter((list) => list.length > 0);
}
