/** A stretch of a text: `text.slice(start, end)`, without the white space around it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const boundary =
  /[.!?…。！？؟۔]+["'”’)\]」』]*(?=\s|$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『])|\n+/gu;
const abbreviation = /(?:^|\s)(?:dr|mr|mrs|ms|prof|st|vs|e\.g|i\.e|no|p|pp|vol|fig|approx|[A-Z])\.$/i;

/** Sentences of at most `maxChars`; a longer one is cut at white space where there is some. */
export function sentences(text: string, maxChars = 600): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    if (match[0] === "." && abbreviation.test(text.slice(Math.max(0, end - 12), end))) continue;
    pushSpan(spans, text, start, end, maxChars);
    start = end;
  }
  pushSpan(spans, text, start, text.length, maxChars);
  return spans;
}

function pushSpan(spans: Span[], text: string, from: number, to: number, maxChars: number): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  while (end - start > maxChars) {
    let cut = text.lastIndexOf(" ", start + maxChars);
    if (cut <= start) cut = start + maxChars;
    // A cut inside a surrogate pair would leave two broken halves.
    if (/[\uDC00-\uDFFF]/.test(text[cut] ?? "")) cut--;
    spans.push({ start, end: cut });
    start = cut;
    while (start < end && /\s/.test(text[start]!)) start++;
  }
  if (end > start) spans.push({ start, end });
}
