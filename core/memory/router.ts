import { moments } from "./text/dates.ts";
import { parseQuery } from "./text/query.ts";
import { stopWords, words } from "./text/words.ts";

/** How a question is looked up. `none` needs no memory; `belief` is answered from beliefs, with passages beside them. */
export type Route = "simple" | "temporal" | "aggregation" | "belief" | "none";

export interface RoutedQuery {
  readonly route: Route;
  /** What to search for: one query, or two to four for an aggregation (the whole question is always the first). */
  readonly queries: readonly string[];
}

const small =
  /^(?:hi|hey|hello|yo|good (?:morning|afternoon|evening|night)|thanks?(?: you)?(?: (?:so|very) much)?|thx|ok(?:ay)?|great|nice|cool|bye|goodbye|see you|yes|no|sure|please|sorry|lol|ha+|wow)(?:[\s,!.]+(?:there|credence|again|everyone|all|so much|a lot|very much))*[\s!.?]*$/i;
const beliefs =
  /\b(?:what do you (?:think|believe)|do you (?:think|believe)|your (?:view|opinion|belief|stance|take)|how (?:sure|certain|confident) are you|have you changed your mind)\b/i;
const clause =
  /\s*(?:,\s*and|;|\band\b(?=\s+(?:what|when|where|who|which|how|why|did|does|do|is|are|was|were|has|have)\b)|\?\s+)\s*/i;
const pair =
  /\b(?:both|between)\s+((?:\S+\s+){0,3}?\S+)\s+and\s+((?:\S+\s+){0,3}?\S+)(?=[?,.;]|$)|\bcompare\s+((?:\S+\s+){0,4}?\S+)\s+(?:and|with|to|versus|vs\.?)\s+((?:\S+\s+){0,4}?\S+)(?=[?,.;]|$)/i;
const twoNames = /\b(\p{Lu}[\p{L}'’-]+) and (\p{Lu}[\p{L}'’-]+)\b/u;

/** Routes by rules, `speaks` telling whether a name is of somebody whose words are known; used when no model is there to do it, and as what a model's answer is checked against. */
export function routeByRules(text: string, now: number, speaks: (name: string) => boolean = () => true): RoutedQuery {
  const query = text.trim();
  const content = words(query).filter((word) => !stopWords.has(word.form));
  if (query === "" || small.test(query) || (content.length === 0 && query.length < 12 && !/\p{Lo}/u.test(query))) {
    return { route: "none", queries: [] };
  }
  if (beliefs.test(query)) return { route: "belief", queries: [query] };
  const parts = subQueries(query, speaks);
  if (parts.length > 1) return { route: "aggregation", queries: [query, ...parts].slice(0, 4) };
  if (parseQuery(query).want === "time" || moments(query, now).length > 0)
    return { route: "temporal", queries: [query] };
  return { route: "simple", queries: [query] };
}

/** The questions that one question is made of; empty when it is a single one. */
function subQueries(query: string, speaks: (name: string) => boolean): string[] {
  const names = twoNames.exec(query);
  if (names && speaks(names[1]!) && speaks(names[2]!)) {
    // "How do Jon and Gina unwind?" is a question about each of them.
    const frame = query.replace(/\b(?:both|together)\s+/i, "");
    return [names[1]!, names[2]!].map((name) => frame.replace(names[0], name));
  }
  const named = pair.exec(query);
  if (named) {
    const [first, second] = named.slice(1).filter((part) => part !== undefined);
    const frame = `${query.slice(0, named.index)} ${query.slice(named.index + named[0].length)}`
      .replace(/\s+/g, " ")
      .trim();
    return [`${frame} ${first}`, `${frame} ${second}`].map((part) => part.trim());
  }
  const clauses = query
    .split(clause)
    .map((part) => part.trim())
    .filter((part) => words(part).filter((word) => !stopWords.has(word.form)).length >= 1);
  return clauses.length > 1 ? clauses.slice(0, 3) : [];
}
