/** Topic slugs: existing ones first, so that one subject does not end up under three names. */
import type { Embedder } from "../../models/types.ts";
import { normalise } from "./cues.ts";
import { dot } from "./head.ts";

const plain = new Set(
  (
    "a an the this that these those it its he she they them his her their we our you your i my me us of in on at by for from to with without within into onto over under " +
    "between among against after before during since until about as than then so if or and but nor not no yes is are was were be been being am do does did done have has had " +
    "having can could will would shall should may might must need needs very more most less least much many few some any all each every both either neither other another such " +
    "only just also too even still yet already ever never always often sometimes again once twice here there where when why how what which who whom whose because though although " +
    "while whereas however therefore thus hence one two three four five six seven eight nine ten hundred thousand million percent per cent new old first last next same own good " +
    "better best bad worse worst big small large great high low long short said says say told according found shows showed show report reported reports study studies data figure " +
    "figures average mean median rate number numbers people person man men woman women everyone everybody nobody thing things way ways year years month months week weeks day days " +
    "time times hour hours minute minutes today yesterday tomorrow now i've i'm don't doesn't didn't isn't aren't wasn't can't won't it's that's there's you're they're we've " +
    "up down out off back made make makes making get gets got take takes took taken give gives gave given go goes went going come comes came know knows think thinks thought " +
    "believe believes want wants use uses used using work works like really quite rather almost nearly well least results result trial trials group groups sample compared versus " +
    "control significant higher lower increase increased decrease decreased fell rose dropped against expert experts professor dr prof please course must whether unless nothing something " +
    "cause causes caused recommends recommend recommended advises advise advised warns warned admit hello thanks tell tells told knew felt feel feels tried try tries seen see sees " +
    "saw look looks looked told asked ask asks call called calls keep kept keeps put puts let lets seem seems seemed become became becomes began begin begins start started starts " +
    "stop stopped stops happen happened happens turn turned turns leave left leaves move moved moves live lived lives mean means meant show reduce reduces reduced improve improves " +
    "improved raise raises raised drop drops lower rise rises fall falls grow grows grew double doubled contain contains help helps helped cure cures cured allow allows prove proves " +
    "proven true false wrong right real really simply literally actually everybody nobody anyone everything anything everywhere always whole entire several enough different similar " +
    "possible impossible important clear certain sure likely unlikely able ready national official former senior leading head chief city local public adults patients participants"
  ).split(/\s+/),
);

/** Content words of a text, lower case, in order. */
export function contentWords(text: string): string[] {
  return (
    normalise(text)
      .toLowerCase()
      .match(/[\p{L}][\p{L}'-]+/gu) ?? []
  )
    .map((word) => word.replace(/'s$/, "").replace(/^['-]+|['-]+$/g, ""))
    .filter((word) => word.length > 2 && !plain.has(word));
}

/** A light stem, enough to see that "eels" and "eel", "pumps" and "pumping" are the same subject. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  return word
    .replace(/(?:ies)$/, "y")
    .replace(/(?:sses)$/, "ss")
    .replace(/(?:ments?|ations?|ition|ings?|edly|ed|ers?|ely|ly|es|s)$/, "")
    .replace(/(.)\1$/, "$1")
    .replace(/(?<=.{3})[ey]$/, "");
}

export function slug(words: string): string {
  return words
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
}

const SAME_TOPIC = 0.42;
/** Phrases whose meaning is compared with the text's: each costs one embedding. */
const MOST_CANDIDATES = 4;

/**
 * At most three topics of a text, the best first. An existing slug whose words occur in the text, or whose meaning is
 * near it, is reused; only where none fits a new one is made of its two most telling words.
 */
export async function topicsOf(
  text: string,
  existing: readonly string[],
  embedder: Embedder | null,
  textVector: Float32Array | null,
): Promise<string[]> {
  const stems = new Set(contentWords(text).map(stem));
  const byWords = existing.filter((topic) =>
    topic.split("-").every((part) => part.length > 2 && stems.has(stem(part))),
  );
  if (byWords.length > 0) return byWords.slice(0, 3);
  if (embedder && textVector && existing.length > 0) {
    const vectors = await embedder.embed(existing.map((topic) => topic.replaceAll("-", " ")));
    const near = existing
      .map((topic, i) => ({ topic, near: dot(vectors[i]!, textVector) }))
      .filter(({ near }) => near >= SAME_TOPIC)
      .sort((a, b) => b.near - a.near);
    if (near.length > 0) return near.slice(0, 2).map(({ topic }) => topic);
  }
  const made = await newTopic(text, embedder, textVector);
  return made ? [made] : [];
}

/** Neighbouring content words, scored by how often they occur and how near their meaning is to that of the whole text. */
async function newTopic(
  text: string,
  embedder: Embedder | null,
  textVector: Float32Array | null,
): Promise<string | null> {
  const lower = normalise(text).toLowerCase();
  const candidates = new Map<string, number>();
  for (const run of lower.split(/[^\p{L}'-]+(?=\s|$)|[.,;:!?()"]|\d+/u)) {
    const words = run.split(/\s+/).map((word) => word.replace(/^['-]+|['-]+$|'s$/g, ""));
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (word.length < 3 || plain.has(word)) continue;
      add(candidates, word, 1);
      const next = words[i + 1];
      if (next && next.length > 2 && !plain.has(next)) add(candidates, `${word} ${next}`, 1.4);
    }
  }
  const list = [...candidates].sort((a, b) => b[1] - a[1]).slice(0, MOST_CANDIDATES);
  if (list.length === 0) return null;
  if (!embedder || !textVector) return slug(list[0]![0]);
  const vectors = await embedder.embed(list.map(([phrase]) => phrase));
  const best = list
    .map(([phrase, weight], i) => ({ phrase, score: dot(vectors[i]!, textVector) + 0.03 * weight }))
    .sort((a, b) => b.score - a.score)[0]!;
  return slug(best.phrase);
}

function add(map: Map<string, number>, key: string, weight: number): void {
  map.set(key, (map.get(key) ?? 0) + weight);
}
