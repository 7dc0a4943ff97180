/**
 * Whether a sentence speaks for or against a statement. Made for weak models: how near the two are in meaning, then
 * their polarity (negation, opposites, effects that are denied, figures against a bound). A model that has proved itself
 * may decide instead; it decides only the side, never a number.
 */
import { normalise } from "./scorer/cues.ts";
import { words } from "./scorer/lexicon.ts";
import { contentWords, stem } from "./scorer/topics.ts";

export interface Stance {
  /** 1 speaks for, -1 speaks against, 0 speaks of something else or cannot be told. */
  readonly direction: 1 | -1 | 0;
  /** 0..1: how near the two are. */
  readonly nearness: number;
  /** Which cue decided, in words. */
  readonly why: string;
}

const negators = words(
  "not | no | never | none | nothing | nobody | neither | nor | without | cannot | can't | don't | doesn't | didn't | isn't | aren't | wasn't | weren't | won't | wouldn't | shouldn't | couldn't | hasn't | haven't | hadn't | fails to | failed to | fail to | unable to | hardly | scarcely | rarely | seldom | far from | instead of | rather than | myth | myths | false | untrue | wrong | refute | refutes | refuted | debunked | disproves | disproved | contradicts | contradicted | rules out | ruled out | no longer | lack of | lacks | absence of | refuses | refused | denies | denied | doubt | doubts | doubtful | unlikely | improbable",
);

/** The statement's effect is denied rather than reversed. */
const nullEffect =
  /\bno (?:significant |measurable |detectable |clear )?(?:difference|effect|link|association|change|benefit|improvement|increase|decrease|reduction|evidence|sign|trace|influence|connection|relation(?:ship)?|correlation)\b|\bno (?:better|worse|higher|lower|more|less|faster|slower|safer|cheaper) than\b|\b(?:did|does|do) not (?:differ|change|matter|help|work|affect|make a difference)\b|\bmade no difference\b|\bunchanged\b|\bnot significant\b|\bby chance\b|\bthe same (?:as|in both|with and without)\b|\bmakes no difference\b/giu;

/** Opposites: each line is one axis, plus side against minus side. `*` stands for any word ending. */
const axes: readonly (readonly [plus: string, minus: string])[] = [
  [
    "increas* | raise* | raising | rose | rise | rises | risen | rising | grow* | grew | more | higher | gain* | doubl* | tripl* | climb* | surg* | boost* | exceed* | above | over | most | mostly | majority | many | larger | bigger | longer | expand* | swell*",
    "decreas* | lower* | fell | fall | falls | fallen | falling | drop* | declin* | reduc* | less | fewer | shrank | shrink* | shrunk | halv* | cut | cuts | below | under | least | few | minority | dwindl* | smaller | shorter | retreat* | contract* | sank | sink*",
  ],
  [
    "better | improv* | benefi* | help* | effective | work | works | worked | succe* | good | safe* | protect* | healthy | healthier | reliab* | useful | worth | sound | robust | accurate | prevent*",
    "worse* | harm* | hurt* | ineffective | useless | fail* | bad | danger* | unsafe | damag* | toxic | unhealthy | unreliab* | risky | worthless | unsound | inaccurate | broken",
  ],
  [
    "exist* | present | remain* | surviv* | return* | alive | pass | passes | passed | passing | continu* | arriv* | kept | keep",
    "absent | gone | vanish* | extinct | disappear* | stop | stopped | ceas* | died | dead | lost | ended | abolish*",
  ],
  [
    "allow* | legal | permit* | approv* | accept* | open* | support* | favour* | favor* | in favour of",
    "ban | bans | banned | forbid* | forbade | prohibit* | illegal | reject* | clos* | shut | oppos*",
  ],
  ["fast | faster | quick* | early | earlier | sooner", "slow* | late | later"],
  ["cheap* | affordable", "expensive | costly | dear | dearer | waste*"],
  ["easy | easier | simple | simpler", "hard | harder | difficult | complex"],
  ["night* | nocturnal | dark | sunset | sunrise | dusk", "day | daytime | noon | midday | daylight"],
  ["hot | hotter | warm* ", "cold | colder | cool*"],
  ["strong* | strengthen*", "weak*"],
  ["genuine | real | authentic | original", "forg* | fake* | fraud* | counterfeit* | staged"],
  [
    "necessary | needs | need | needed | must | essential | required",
    "unnecessary | needless | optional | superfluous | dispensable",
  ],
  ["possible | feasible | likely", "impossible | infeasible"],
  ["guilty | cause* | causing", "innocent | harmless"],
  ["public", "private"],
  ["rural | village*", "urban | city | cities"],
  ["win | won | wins", "lose | loses"],
  ["true | correct", "incorrect"],
];

const axisPatterns = axes.map(([plus, minus]) => [words(plus), words(minus)] as const);

const bound =
  /\b(under|below|less than|fewer than|at most|no more than|up to|over|above|more than|at least|exceeds?|no less than)\s+(?:[€$£]\s?)?(\d[\d.,]*)\s?(%|percent|per cent|[\p{L}°/³²]+)?/iu;
const figure = /(?:[€$£]\s?)?(\d[\d.,]*)\s?(%|percent|per cent|[\p{L}°/³²]+)?/giu;

function number(text: string): number {
  return Number(
    text
      .replace(/[.,]$/, "")
      .replace(/,(?=\d{3}\b)/g, "")
      .replace(",", "."),
  );
}

const sameUnit = (a: string | undefined, b: string | undefined): boolean => {
  const plain = (u: string | undefined) =>
    (u ?? "")
      .toLowerCase()
      .replace(/^per ?cent$/, "%")
      .replace(/s$/, "");
  return plain(a) === plain(b);
};

/** Whether a figure in the sentence keeps (1) or breaks (-1) a bound in the statement; 0 when there is nothing to compare. */
export function boundCheck(sentence: string, statement: string): 1 | -1 | 0 {
  const limit = statement.match(bound);
  if (!limit || sentence.match(bound)) return 0;
  const upper = /under|below|less|fewer|most|no more|up to/i.test(limit[1]!);
  let verdict: 1 | -1 | 0 = 0;
  for (const match of sentence.matchAll(figure)) {
    if (!sameUnit(match[2], limit[3]) || !limit[3]) continue;
    const holds = upper ? number(match[1]!) <= number(limit[2]!) : number(match[1]!) >= number(limit[2]!);
    // Several figures of the unit that disagree tell nothing.
    if (verdict !== 0 && verdict !== (holds ? 1 : -1)) return 0;
    verdict = holds ? 1 : -1;
  }
  return verdict;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function sharedWords(a: string, b: string): ReadonlySet<string> {
  const left = new Set(plainWords(a).map(stem));
  return new Set(
    plainWords(b)
      .map(stem)
      .filter((word) => left.has(word)),
  );
}

function without(text: string, gone: ReadonlySet<string>): string {
  return plainWords(text)
    .filter((word) => !gone.has(stem(word)))
    .join(" ");
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}'-]+/gu) ?? [];
}

/** Shared content words, as a share of the shorter side. */
export function overlap(a: string, b: string): number {
  const left = new Set(contentWords(a).map(stem));
  const right = new Set(contentWords(b).map(stem));
  if (left.size === 0 || right.size === 0) return 0;
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  return both / Math.min(left.size, right.size);
}

const NEAR = 0.54;
const NEAR_WITH_WORDS = 0.42;
const WORDS_WITH_MEANING = 0.34;
const WORDS_ALONE = 0.5;

/** Whether two sentences are about the same thing. `similarity` is the cosine of their vectors, null without an embedder. */
export function related(
  sentence: string,
  statement: string,
  similarity: number | null,
): { related: boolean; nearness: number } {
  const shared = overlap(sentence, statement);
  if (similarity === null) return { related: shared >= WORDS_ALONE, nearness: shared };
  return {
    related: similarity >= NEAR || (similarity >= NEAR_WITH_WORDS && shared >= WORDS_WITH_MEANING),
    nearness: Math.max(0, Math.min(1, 0.7 * similarity + 0.3 * shared)),
  };
}

export function stanceOf(rawSentence: string, rawStatement: string, similarity: number | null): Stance {
  const sentence = normalise(rawSentence);
  const statement = normalise(rawStatement);
  const { related: near, nearness } = related(sentence, statement, similarity);
  if (!near) return { direction: 0, nearness, why: "is about something else" };
  if (/\?\s*$/.test(sentence)) return { direction: 0, nearness, why: "asks" };
  const { sign, why } = polarity(sentence, statement);
  return { direction: sign, nearness, why };
}

function polarity(sentence: string, statement: string): { sign: 1 | -1; why: string } {
  const against: string[] = [];
  const flip = (why: string) => against.push(why);
  const figures = boundCheck(sentence, statement);
  const denied = count(sentence, nullEffect) > 0;
  const denies = count(statement, nullEffect) > 0;
  const bare = sentence.replace(nullEffect, " ");
  const bareStatement = statement.replace(nullEffect, " ");
  if (denied !== denies) flip("denies the effect");
  if (figures !== 0) {
    if (figures === -1) flip("its figures lie beyond the bound");
  } else if (!denied && !denies) {
    // What both say in the same word ("the lower speed limit") is what they are about, not what they say of it.
    const shared = sharedWords(bare, bareStatement);
    const left0 = without(bare, shared);
    const right0 = without(bareStatement, shared);
    for (const [plus, minus] of axisPatterns) {
      const left = Math.sign(count(left0, plus) - count(left0, minus));
      const right = Math.sign(count(right0, plus) - count(right0, minus));
      if (left !== 0 && right !== 0 && left !== right) flip("says the opposite");
    }
  }
  if (count(bare, negators) % 2 !== count(bareStatement, negators) % 2) flip("one of the two is negated");
  if (against.length === 0) return { sign: 1, why: figures === 1 ? "its figures keep the bound" : "says the same" };
  // Every cue turns the side; two of them turn it back.
  const sign = against.length % 2 === 0 ? 1 : -1;
  return { sign, why: sign === -1 ? against[0]! : "two denials make an agreement" };
}
