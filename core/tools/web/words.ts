/** Likeness of texts by their words, for when nothing can be embedded. */
const STOP = new Set(
  "a about an and are as at be been but by can could did do does for from had has have how i in into is it its me my no not of on or our she should so than that the their them then there these they this to was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** Content words, lower case, cut to a rough stem. */
export function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1 && !STOP.has(word))
    .map((word) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s|ly)$/, "") : word.replace(/(?<=..)s$/, "")));
}

/** Share of the question's words that the text has, 0..1, weighted by their length. */
export function wordLikeness(question: readonly string[], text: readonly string[]): number {
  if (question.length === 0) return 0;
  const present = new Set(text);
  let total = 0;
  let shared = 0;
  for (const word of new Set(question)) {
    const weight = Math.min(word.length, 10);
    total += weight;
    if (present.has(word)) shared += weight;
  }
  return total === 0 ? 0 : shared / total;
}

/** Cosine of unit vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
