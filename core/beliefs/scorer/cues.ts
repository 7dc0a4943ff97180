/**
 * Linguistic cues of a text as a fixed-length vector of numbers 0..1 (a few slightly above). They look at the form of
 * an argument, never at which side it takes. Pure; about 0.2 ms a paragraph.
 */
import * as lexicon from "./lexicon.ts";
import { mythsNamed } from "./myths.ts";

const figure = "\\d[\\d.,]*(?:\\s?(?:k|million|billion|thousand|hundred))?";
const numberUnit = new RegExp(`(?<![\\p{L}\\d])[€$£]?${figure}\\s?(?:×\\s?)?${lexicon.unit}(?![\\p{L}])`, "gu");
const percent = /\d\s?(?:%|percent|per cent)/giu;
const sample = new RegExp(
  `(?<![\\p{L}\\d])(?:${figure})\\s+(?:[\\p{L}-]+\\s+){0,3}?(?:${lexicon.counted})(?![\\p{L}])`,
  "giu",
);
const spelledSample = new RegExp(
  `\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|half)\\s+(?:of\\s+(?:the\\s+)?)?(?:[\\p{L}-]+\\s+){0,2}?(?:${lexicon.counted})(?![\\p{L}])`,
  "giu",
);
const sampleN = /\bn\s?[=≈~]\s?\d/giu;
const interval =
  /±|\bp\s?[<=>]\s?0?\.\d|\b(?:95|90|99)\s?%\s?(?:ci|confidence|interval)|\bci\b|\bhazard ratio|\bodds ratio|\brate ratio|\bI²|\bstandard (?:deviation|error)|\bSD\b|\bσ\b|\bmargin of error/giu;
const change =
  /\bfrom\s+[€$£]?\d[\d.,]*[^.]{0,24}?\bto\s+[€$£]?\d|\b(?:down|up)\s+(?:from|by)?\s*\d|\b\d[\d.,]*\s?[^\s.;]{0,8}\s+(?:versus|vs\.?|against|compared (?:with|to)|instead of)\s+\d|\bbetween\s+\d{4}\s+and\s+\d{4}|\b\d{4}\s+(?:to|-|–)\s+\d{4}/giu;
const outOf = /\b\d[\d,]*\s+(?:of|out of|in)\s+(?:the\s+|every\s+)?\d/giu;
const decimal = /\d[.]\d/gu;
const anyNumber = /(?<![\p{L}])\d[\d.,]*/gu;
const smallCount =
  /\b(?:\d|[1-3]\d|two|three|four|five|six)\s+(?:days|weeks|months|years|times|nights|kids|cats|smoothies|hours|kg|pounds|stones?)\b/giu;
const hugeCrowd =
  /\b(?:\d{1,3}(?:[,.]\d{3})+|\d+(?:[.,]\d+)?\s?(?:k|m|million|billion)|millions|billions|thousands|hundreds)\s+(?:of\s+)?(?:[\p{L}-]+\s+){0,2}?(?:people|likes|signatures|names|followers|fans|users|customers|members|readers|views|downloads|voters|votes|believers|subscribers|citizens|families|parents|mothers|reviews|others|players|listeners|upvotes|shares|comments)\b|\b\d{1,3}\s?(?:%|percent|per cent)\s+of\s+(?:the\s+)?(?:people|public|voters|population|readers|country|users|respondents say|us|americans|britons|followers|fans|customers)/giu;
const conditional = /(?:^|[\s,;:(])if\b[^.?!]{3,160}?(?:,|\bthen\b)/giu;
const soClause = /(?:[,;:]\s|\.\s)so\s+(?!much|many|far|called|sorry|tired|deeply|happy|sad|unfair)/giu;
const mustCannot =
  /\b(?:must|cannot|can't|can not|could not|couldn't|would not|wouldn't|need not|no one can|impossible)\b/giu;
const quantifier = /\b(?:all|every|any|none|no|only|whoever|whatever|each)\b/giu;
const secondPerson = /\b(?:you|your|you're|youre|you'd|you'll|yours|yourself)\b/giu;
const thirdSaid =
  /[""][^""]{8,}[""]\s*,?\s*(?:\w+\s+){0,6}?(?:said|says|wrote|told|added|warned)|(?:said|says|wrote|told|added)[^.]{0,40}[""]/giu;
const exclamation = /!/gu;
const emoji = /\p{Extended_Pictographic}/gu;
const shout = /\b\p{Lu}{3,}\b/gu;
const properName = /(?<=[\p{Ll},]\s)\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/gu;
const sentenceEnd = /[.!?…]+(?:\s|$)|\n+/u;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** 0, 0.5, 0.67, 0.75 ...: the first occurrence tells most. */
function saturate(n: number): number {
  return n / (n + 1);
}

/** Straight quotes, single spaces: what every pattern here expects. */
export function normalise(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[ \t\u00a0\u2009\u202f]+/g, " ")
    .trim();
}

export function sentences(text: string): string[] {
  return text
    .replace(/\b(Dr|Prof|Mr|Mrs|Ms|St|vs|approx|etc|e\.g|i\.e|No|p|pp)\./g, "$1\u2024")
    .split(sentenceEnd)
    .map((part) => part.trim())
    .filter((part) => part.length > 0);
}

/** Sentences with the marks that end them. */
export function wholeSentences(text: string): string[] {
  return text
    .replace(/\b(Dr|Prof|Mr|Mrs|Ms|St|vs|approx|etc|e\.g|i\.e|No|p|pp)\./g, "$1\u2024")
    .split(/(?<=[.!?…]["')]?)\s+|\n+/u)
    .map((part) => part.replaceAll("\u2024", ".").trim())
    .filter((part) => part.length > 0);
}

/** Everything counted once, by name; `head` features, strength signals and explanations all draw on this. */
export function cueCounts(raw: string): Record<string, number> {
  const text = normalise(raw);
  const parts = sentences(text);
  const tokens = text.split(/\s+/).filter(Boolean).length;
  const myths = mythsNamed(text).length;
  const questions = count(text, /\?/g);
  const inOneSentence = (a: RegExp, b: RegExp) =>
    parts.filter((part) => count(part, a) > 0 && count(part, b) > 0).length;
  return {
    numberUnit: count(text, numberUnit),
    percent: count(text, percent),
    sample: count(text, sample),
    spelledSample: count(text, spelledSample),
    sampleN: count(text, sampleN),
    interval: count(text, interval),
    change: count(text, change),
    outOf: count(text, outOf),
    decimal: count(text, decimal),
    anyNumber: count(text, anyNumber),
    smallCount: count(text, smallCount),
    method: count(text, lexicon.method),
    statistics: count(text, lexicon.statistics),
    resultVerb: count(text, lexicon.resultVerb),
    dataSource: count(text, lexicon.dataSource),
    logicStrong: count(text, lexicon.logicStrong),
    causal: count(text, lexicon.causal),
    conditional: count(text, conditional),
    soClause: count(text, soClause),
    mustCannot: count(text, mustCannot),
    quantifier: count(text, quantifier),
    expertTitle: count(text, lexicon.expertTitle),
    institution: count(text, lexicon.institution),
    attribution: count(text, lexicon.attribution),
    expertSays: inOneSentence(lexicon.expertTitle, lexicon.attribution),
    institutionSays: inOneSentence(lexicon.institution, lexicon.attribution),
    professionSelf: inOneSentence(lexicon.professionSelf, lexicon.expertTitle),
    thirdSaid: count(text, thirdSaid),
    properName: count(text, properName),
    firstPerson: count(text, lexicon.firstPerson),
    firstPast: count(text, lexicon.firstPast),
    relation: count(text, lexicon.relation),
    episode: count(text, lexicon.episode),
    crowd: count(text, lexicon.crowd),
    hugeCrowd: count(text, hugeCrowd),
    conform: count(text, lexicon.conform),
    crowdConform: inOneSentence(lexicon.crowd, lexicon.conform),
    secondPerson: count(text, secondPerson),
    plea: count(text, lexicon.plea),
    emotionWord: count(text, lexicon.emotionWord),
    threat: count(text, lexicon.threat),
    vivid: count(text, lexicon.vivid),
    exclamation: count(text, exclamation),
    emoji: count(text, emoji),
    shout: count(text, shout),
    conspiracy: count(text, lexicon.conspiracy),
    myths,
    refute: count(text, lexicon.refute),
    mythRefuted: myths > 0 ? count(text, lexicon.refute) : 0,
    questions,
    questionShare: parts.length > 0 ? Math.min(1, questions / parts.length) : 0,
    questionStart: lexicon.question.test(text) && questions > 0 ? 1 : 0,
    imperative: parts.filter((part) => lexicon.imperative.test(part)).length,
    greeting: count(text.slice(0, 40), lexicon.greeting),
    evaluative: count(text, lexicon.evaluative),
    logistics: count(text, lexicon.logistics),
    irony: count(text, lexicon.irony),
    insult: count(text, lexicon.insult),
    tokens,
    sentences: parts.length,
  };
}

type Counts = ReturnType<typeof cueCounts>;

const evidenceKeys = ["numberUnit", "sample", "interval", "method", "statistics", "change", "outOf"] as const;
const pressureKeys = [
  "firstPast",
  "relation",
  "episode",
  "crowd",
  "conform",
  "plea",
  "emotionWord",
  "threat",
  "conspiracy",
  "myths",
] as const;

/** Names and values of the features that the linear head reads, in a fixed order. */
export function cueFeatures(counts: Counts): { names: string[]; values: number[] } {
  const names: string[] = [];
  const values: number[] = [];
  const add = (name: string, value: number) => {
    names.push(name);
    values.push(value);
  };
  const c = (key: string) => counts[key] ?? 0;
  for (const key of Object.keys(counts)) {
    if (key === "tokens" || key === "sentences" || key === "questionShare") continue;
    add(key, saturate(c(key)));
  }
  add("questionShare", c("questionShare"));
  const tokens = Math.max(1, c("tokens"));
  add("length", Math.min(1, Math.log1p(tokens) / 5));
  add("short", tokens <= 4 ? 1 : 0);
  add("brief", tokens <= 9 ? 1 : 0);
  add("numberDensity", Math.min(1, (c("anyNumber") / tokens) * 5));
  add("firstDensity", Math.min(1, (c("firstPerson") / tokens) * 6));
  add("secondDensity", Math.min(1, (c("secondPerson") / tokens) * 6));
  add(
    "logicDensity",
    Math.min(1, ((c("logicStrong") + c("conditional") + c("soClause") + c("mustCannot")) / tokens) * 10),
  );
  add("causalDensity", Math.min(1, (c("causal") / tokens) * 5));
  add("emotionDensity", Math.min(1, ((c("emotionWord") + c("plea") + c("threat") + c("exclamation")) / tokens) * 6));
  add("crowdDensity", Math.min(1, ((c("crowd") + c("conform") + c("hugeCrowd")) / tokens) * 6));
  const measured = evidenceKeys.filter((key) => c(key) > 0).length;
  const logical = Math.min(3, c("logicStrong")) + Math.min(2, c("conditional")) + Math.min(2, c("soClause"));
  const pressed = pressureKeys.filter((key) => c(key) > 0).length;
  add("measuredKinds", measured / evidenceKeys.length);
  add("pressedKinds", pressed / pressureKeys.length);
  add("measuredUnpressed", measured >= 2 && c("firstPast") + c("relation") + c("myths") === 0 ? 1 : 0);
  add("bare", measured === 0 && logical === 0 && pressed === 0 && c("expertSays") + c("institutionSays") === 0 ? 1 : 0);
  add(
    "storyOfOne",
    (c("firstPast") > 0 || c("relation") > 0) && c("method") + c("interval") + c("sampleN") === 0 ? 1 : 0,
  );
  add("storyWithEnd", (c("firstPast") > 0 || c("relation") > 0) && c("episode") > 0 ? 1 : 0);
  add("mythAsserted", c("myths") > 0 && c("refute") === 0 ? 1 : 0);
  add("mythUnmeasured", c("myths") > 0 && measured < 2 && logical < 2 ? 1 : 0);
  add("mythMeasured", c("myths") > 0 && measured >= 2 ? 1 : 0);
  add("crowdOnYou", (c("crowd") > 0 || c("hugeCrowd") > 0) && c("secondPerson") > 0 ? 1 : 0);
  add("pleaOnYou", c("plea") + c("threat") > 0 && c("secondPerson") > 0 ? 1 : 0);
  add("expertWithoutData", c("expertSays") + c("institutionSays") > 0 && measured <= 1 ? 1 : 0);
  add("logicWithoutData", logical >= 2 && measured <= 1 ? 1 : 0);
  return { names, values };
}
