/** What an item claims, as one self-contained sentence: the statement of a belief that it may form. */
import { cueCounts, normalise, wholeSentences } from "./scorer/cues.ts";
import { contentWords } from "./scorer/topics.ts";
import type { ReasoningType } from "./types.ts";

const MOST_CHARACTERS = 180;
const LEAST_CONTENT_WORDS = 2;

const says =
  "says?|said|believes?|thinks?|thought|argues?|argued|maintains?|holds?|held|warns?|warned|concludes?|concluded|suggests?|suggested|reckons?|estimates?|estimated|explains?|explained|writes?|wrote|states?|stated|insists?|notes?|noted|reports?|reported|finds?|found|shows?|showed|shown|reveals?|revealed|indicates?|indicated|confirms?|confirmed";
/** "Professor X says (that) REST" and "the trial showed that REST". */
const attributed = new RegExp(`^[^,;:]{2,90}?\\b(?:${says})\\b,?\\s+(?:that\\s+)(.{20,})$`, "iu");
const attributedBare = /^[^,;:]{3,60}?\b(?:says?|said|believes?|thinks?|argues?|reckons?|maintains?)\b,?\s+(.{20,})$/iu;
const accordingTo = /^(?:according to|per|in the (?:opinion|view|judge?ment) of) [^,]{3,90},\s+(.{15,})$/iu;
const quoted = /^"([^"]{15,})"\s*,?\s*(?:\S+\s+){0,8}(?:says?|said|wrote|told|added|warned)\b/iu;
const lead =
  /^(?:and|but|so|also|well|ok|okay|yes|no|look|listen|btw|fyi|tbh|honestly|frankly|please|however|moreover|furthermore|therefore|thus|hence|in fact|indeed|actually|results?|conclusions?|methods?|background|data|observed|update|note|new figures|interim results of [^:]{3,40})\s*[,:]\s+/iu;
/** "We counted eels at the weir: 97 of 118 ..." is about the eels. */
const ownWork =
  /^(?:we|i|they|researchers|scientists|my team)\s+(?:have\s+|had\s+)?(?:counted|measured|recorded|weighed|observed|tested|surveyed|sampled|tracked|logged|compared|examined|analysed|analyzed|monitored|noted|timed)\s+(?=\p{L})/iu;
const conclusion = /(?:^|[,;:]\s*|\s)(?:therefore|hence|thus|consequently|it follows that|so)[,\s]+(.{15,})$/iu;
const insultLead = /^(?:you|lol|haha|hey|hi)\b[^:]{0,60}:\s+/iu;

/** The sentence of `text` that says most of what it claims, cleaned of who said it; null when it claims nothing. */
export function claimOf(text: string, type: ReasoningType): string | null {
  const parts = wholeSentences(normalise(text)).map((raw, index) => ({ raw, sentence: clean(raw, type), index }));
  const scored = parts
    .filter(({ raw, sentence }) => contentWords(sentence).length >= LEAST_CONTENT_WORDS && !/\?["')]?$/.test(raw))
    .map(({ raw, sentence, index }) => ({ sentence, score: claimScore(raw, type) - 0.08 * index }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  return best ? finish(best.sentence) : null;
}

function claimScore(sentence: string, type: ReasoningType): number {
  const c = cueCounts(sentence);
  const has = (key: string) => Math.min(1, c[key] ?? 0);
  const length = (c["tokens"] ?? 0) / 12;
  let score = Math.min(1, length) - Math.max(0, length - 2.5) * 0.3;
  if (type === "empirical_data")
    score += has("resultVerb") + 0.6 * has("change") + 0.5 * has("numberUnit") + 0.3 * has("sample");
  if (type === "logical_argument")
    score += has("logicStrong") + 0.6 * has("soClause") + (conclusion.test(sentence) ? 1 : 0);
  if (type === "expert_opinion") score += 0.8 * has("attribution") + 0.4 * has("expertTitle");
  return score - 0.6 * has("firstPerson") - 0.5 * has("secondPerson") - 0.5 * has("imperative");
}

function clean(sentence: string, type: ReasoningType): string {
  let out = sentence.trim();
  for (let i = 0; i < 3; i++) out = out.replace(insultLead, "").replace(lead, "");
  const quote = out.match(quoted)?.[1];
  if (quote) return quote;
  const inner =
    out.match(accordingTo)?.[1] ??
    out.match(attributed)?.[1] ??
    (type === "expert_opinion" ? out.match(attributedBare)?.[1] : undefined);
  if (inner && contentWords(inner).length >= LEAST_CONTENT_WORDS) out = inner;
  const about = out.replace(ownWork, "");
  if (type === "empirical_data" && contentWords(about).length >= 4 && /\d/.test(about)) out = about;
  // The conclusion is what an argument claims.
  const drawn = type === "logical_argument" ? sentence.trim().match(conclusion)?.[1] : undefined;
  if (drawn && contentWords(drawn).length >= 2) out = drawn;
  return out;
}

function finish(sentence: string): string {
  let out = sentence
    .replace(/\s*\([^)]{0,120}\)/g, "")
    .replace(/^["'\s]+|["'\s.;:,]+$/g, "")
    .replace(/\s+/g, " ");
  if (out.length > MOST_CHARACTERS) {
    const head = out.slice(0, MOST_CHARACTERS);
    const clause = Math.max(head.lastIndexOf("; "), head.lastIndexOf(", "), head.lastIndexOf(" – "));
    out = clause > 60 ? head.slice(0, clause) : `${head.slice(0, head.lastIndexOf(" "))} …`;
  }
  return out.charAt(0).toUpperCase() + out.slice(1);
}

/** The sentence of an item that bears most on a statement, for quoting as evidence. */
export function quoteOf(sentence: string): string {
  const flat = sentence.replace(/\s+/g, " ").trim();
  return flat.length <= 400 ? flat : `${flat.slice(0, flat.lastIndexOf(" ", 398))} …`;
}
