const reporting =
  /\b(?:found|finds|measured|showed|shows?|observed|reported|estimated|recorded|counted|tested|compared|increased|decreased|rose|fell|caused|because|therefore|study|trial|survey|experiment|sample|median|mean|average|rate|significant|evidence|result(?:s|ed)?|according to|percent|per cent)\b/gi;
const leaders = /(?:\.\s?){5,}|_{5,}/;

/**
 * How much a passage is likely to be worth as evidence, 0 and up, without a model: measured statements in whole
 * sentences score, headings, tables of contents and lists of sources do not. Only ranks what is offered first; the
 * scorer behind the queue decides.
 */
export function evidenceWorth(text: string): number {
  if (text.length < 80 || leaders.test(text)) return 0;
  const sentences = text.match(/\p{L}{3,}[^.!?]*[.!?](?=\s|$)/gu)?.length ?? 0;
  if (sentences === 0) return 0;
  const words = text.split(/\s+/).length;
  const figures = text.match(/\b\d+(?:[.,]\d+)*\s?(?:%|per cent|percent|[a-z°µ²³/]{1,6}\b)?/giu)?.length ?? 0;
  const verbs = text.match(reporting)?.length ?? 0;
  const sources = text.match(/\b(?:doi|ISBN|et al|pp?\.|vol\.)\b/g)?.length ?? 0;
  // A page of numbers is a table; a few among sentences are findings.
  const crowded = figures > words * 0.25 ? 0.2 : 1;
  return Math.max(
    0,
    (Math.min(verbs, 5) + Math.min(figures, 6) * 0.7 + Math.min(sentences, 4) * 0.25 - sources) * crowded,
  );
}
