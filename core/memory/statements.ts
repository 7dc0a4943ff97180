import { sentences } from "./text/sentences.ts";
import { fold, stems, stopWords, words } from "./text/words.ts";

/** Rules that find what a user tells about themself, put so that it stands alone: "My dog is Biscuit" becomes "Your dog is Biscuit." */

const opensWithUser = /^(?:i|my|our|we|i'm|i've|i'd|i'll|we're|we've|we'll)\b/i;
const notFact =
  /^(?:i|we) (?:think|guess|wonder|suppose|mean|know|see|hope|bet|believe|feel like|was wondering|am wondering|'d like you|want you|need you|would like you|have a question|am asking|can't tell|don't know|don't understand|agree|disagree)\b/i;
const request =
  /^(?:i'd like|i would like|i want|i need|can you|could you|please|let's|we need)\b.*\b(?:you|to know|help|explain|summar|write|list)\b/i;

const swaps: readonly (readonly [RegExp, string])[] = [
  [/\bI'm\b|\bI am\b/g, "You are"],
  [/\bI've\b|\bI have\b/g, "You have"],
  [/\bI'd\b/g, "You would"],
  [/\bI'll\b/g, "You will"],
  [/\bI was\b/g, "You were"],
  [/\bI\b/g, "You"],
  [/\bmyself\b/gi, "yourself"],
  [/\bmine\b/gi, "yours"],
  [/\bmy\b/g, "your"],
  [/\bMy\b/g, "Your"],
  [/\bme\b/g, "you"],
  [/\bWe're\b/g, "You are"],
  [/\bour\b/g, "your"],
  [/\bOur\b/g, "Your"],
  [/\bwe\b/g, "you"],
  [/\bWe\b/g, "You"],
  [/\bus\b/g, "you"],
];

/** Facts in what the user said, each as one sentence about the user. Questions, requests and thoughts give none. */
export function userFacts(text: string): string[] {
  const found: string[] = [];
  for (const span of sentences(text.slice(0, 20_000))) {
    const sentence = text.slice(span.start, span.end).replace(/\s+/g, " ");
    const count = words(sentence).length;
    if (count < 4 || count > 40 || sentence.endsWith("?")) continue;
    const core = sentence.replace(/^(?:well|so|and|but|oh|also|actually|by the way|btw|anyway)[,\s]+/i, "");
    if (!opensWithUser.test(core) || notFact.test(core) || request.test(core)) continue;
    if (words(core).filter((word) => !stopWords.has(word.form)).length < 2) continue;
    found.push(toSecondPerson(core));
  }
  return found.slice(0, 8);
}

function toSecondPerson(sentence: string): string {
  let result = sentence;
  for (const [pattern, replacement] of swaps) result = result.replace(pattern, replacement);
  // "You" inside a sentence is lower case; only the first letter is a capital.
  result = result.replace(/(?<=[^.!?]\s)You\b/g, "you").replace(/!+$/, ".");
  result = result.charAt(0).toUpperCase() + result.slice(1);
  return /[.…]$/.test(result) ? result : `${result}.`;
}

const negations = new Set([
  "not",
  "no",
  "never",
  "nobody",
  "nothing",
  "without",
  "t",
  "isn",
  "don",
  "doesn",
  "didn",
  "wasn",
  "won",
  "can't",
  "cannot",
  "stopped",
  "quit",
]);

/** What makes two similar sentences different facts: a denial, or another number. */
export function sameClaim(a: string, b: string): boolean {
  return denies(a) === denies(b) && numbersOf(a) === numbersOf(b);
}

function denies(text: string): boolean {
  let count = 0;
  for (const word of words(text)) if (negations.has(word.form) && word.form !== "t") count++;
  return count % 2 === 1;
}

function numbersOf(text: string): string {
  return (text.match(/\d+(?:[.,]\d+)?/g) ?? []).sort().join(" ");
}

/** Share of content words that two sentences have in common: the stand-in for a cosine when there is no embedder. */
export function wordLikeness(a: string, b: string): number {
  const left = new Set(stems(a));
  const right = new Set(stems(b));
  if (left.size === 0 || right.size === 0) return fold(a) === fold(b) ? 1 : 0;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared);
}
