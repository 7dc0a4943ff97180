/** The tasks of the aptitude check. Small, fixed, and about nothing that a user said. */
import { z } from "zod";
import type { AnyTool } from "../../tools/types.ts";

/** Tools as the check offers them; they are never run. */
export const CHECK_TOOLS: readonly AnyTool[] = [
  tool(
    "recall_memory",
    "Look up what the user said before, in this or earlier conversations, and facts kept about them.",
  ),
  tool("search_library", "Find passages in the documents that the user gave: files, contracts, papers, notes."),
  tool("look_up_feeds", "Look up entries of the feeds that the user follows: news, articles, blog posts."),
  tool("web_research", "Look something up on the web: current facts, prices, pages at given addresses."),
];

/** A message and the tool that it asks for; null for a direct answer. `about` must show in the arguments. */
export interface ActionTask {
  readonly message: string;
  readonly tool: string | null;
  readonly about: RegExp;
}

/** Worded as people write, and unlike the examples that the choice under a grammar is shown; the kinds take turns. */
export const ACTION_TASKS: readonly ActionTask[] = [
  { message: "Is my son allergic to nuts?", tool: "recall_memory", about: /son|allerg|nuts?/i },
  { message: "How much is 12 times 12?", tool: null, about: /./ },
  {
    message: "How long is the notice period in the gym contract I uploaded?",
    tool: "search_library",
    about: /notice|contract|gym/i,
  },
  { message: "I think remote work is good for families.", tool: null, about: /./ },
  { message: "Have the blogs I follow written anything on bees?", tool: "look_up_feeds", about: /bees?/i },
  { message: "Who won the tennis final yesterday? Look it up online.", tool: "web_research", about: /tennis|final/i },
  { message: "Explain how a rainbow forms.", tool: null, about: /./ },
  { message: "Which day did I say the plumber is coming?", tool: "recall_memory", about: /plumber|day/i },
  { message: "Translate 'good night' into Spanish.", tool: null, about: /./ },
  {
    message: "Per the operating manual, what pressure should the boiler have?",
    tool: "search_library",
    about: /pressure|boiler|manual/i,
  },
  { message: "What are today's headlines?", tool: "look_up_feeds", about: /./ },
  { message: "Thanks, that helped a lot!", tool: null, about: /./ },
];

/** A text and the facts in it, copied word for word. */
export interface CopyTask {
  readonly text: string;
  readonly facts: Readonly<Record<string, string>>;
}

export const CopySchema = z.object({ who: z.string().max(60), when: z.string().max(60), amount: z.string().max(60) });

export const COPY_TASKS: readonly CopyTask[] = [
  {
    text: "On 14 March, Ilse Brandt paid 1,240 euros for the repair of the mill wheel.",
    facts: { who: "Ilse Brandt", when: "14 March", amount: "1,240" },
  },
  {
    text: "The council granted 85,000 crowns to Pavel Novak on 2 June for the new footbridge.",
    facts: { who: "Pavel Novak", when: "2 June", amount: "85,000" },
  },
  {
    text: "Rosa Lindqvist sold her boat for 3,600 dollars on 27 October after long talks.",
    facts: { who: "Rosa Lindqvist", when: "27 October", amount: "3,600" },
  },
];

/** The result of an action, and what its consolidation has to keep. */
export interface ConsolidationTask {
  readonly question: string;
  readonly action: string;
  readonly output: string;
  readonly keeps: readonly RegExp[];
}

export const CONSOLIDATION_TASKS: readonly ConsolidationTask[] = [
  {
    question: "When was the mill built, and by whom?",
    action: "search_library: ok, 1 passage",
    output:
      "[Town history, p. 4]\nThe mill at Alder Brook was built in 1846 by the Haas family. It burned down in 1902 and was rebuilt with a turbine.",
    keeps: [/1846/, /haas/i],
  },
  {
    question: "What did I say about my brother's boat?",
    action: "recall_memory: ok, nothing found",
    output: "Nothing about this was said before.",
    keeps: [/\bno(?:t|thing|ne)?\b|n['’]t\b/i],
  },
  {
    question: "What does the lease say about pets?",
    action: "search_library: ok, 1 passage",
    output: "[Lease, § 7]\nThe tenant may keep one cat. Dogs need the written consent of the landlord.",
    keeps: [/cat/i, /consent|landlord/i],
  },
];

export interface SystemTask {
  readonly system: string;
  readonly message: string;
  readonly follows: (answer: string) => boolean;
}

export const SYSTEM_TASKS: readonly SystemTask[] = [
  {
    system: "You are a helpful assistant. Whatever the user asks, end your answer with the word OKAPI.",
    message: "Name one colour.",
    follows: (answer) => /okapi\W*$/i.test(answer.trim()),
  },
  {
    system: "Answer every question with exactly one word.",
    message: "Which animal says miaow?",
    follows: (answer) => /^\W*\p{L}+\W*$/u.test(answer.trim()),
  },
  {
    system: "You are a librarian named Theodora. When asked for your name, say it.",
    message: "What is your name?",
    follows: (answer) => /theodora/i.test(answer),
  },
];

export interface LanguageTask {
  readonly code: string;
  readonly message: string;
  /** Words that an answer in this language has some of. */
  readonly words: RegExp;
  /** Something that a sensible answer names. */
  readonly names: RegExp;
}

export const LANGUAGE_TASKS: readonly LanguageTask[] = [
  {
    code: "en",
    message: "What is rain? Answer in one sentence.",
    words: /\b(?:the|is|of|and|from|that|to|in)\b/gi,
    names: /water|cloud|drop|sky/i,
  },
  {
    code: "de",
    message: "Was ist Regen? Antworte in einem Satz auf Deutsch.",
    words: /\b(?:der|die|das|ist|und|aus|ein|von|auf|den)\b/gi,
    names: /wasser|wolke|tropfen|himmel|niederschlag/i,
  },
  {
    code: "fr",
    message: "Qu'est-ce que la pluie ? Réponds en une phrase en français.",
    words: /\b(?:la|le|les|est|des|une?|de|qui|du)\b/gi,
    names: /eau|nuage|goutte|ciel|précipitation/i,
  },
  {
    code: "es",
    message: "¿Qué es la lluvia? Responde en una frase en español.",
    words: /\b(?:la|el|los|es|de|una?|que|del|las)\b/gi,
    names: /agua|nube|gota|cielo|precipitación/i,
  },
];

/** Distances in tokens at which a fact is hidden, nearest first. */
export const DISTANCES: readonly number[] = [200, 600, 1500, 4000, 10_000];
export const HIDDEN = {
  fact: "The key to the boathouse hangs behind the blue clock.",
  question: "Where does the key to the boathouse hang?",
  found: /blue clock/i,
};
/** Filler of about 24 tokens a sentence, never twice the same number. */
export const fillerSentence = (i: number): string =>
  `In week ${i + 1} the ferry carried ${((i * 37) % 90) + 10} passengers, and the weather was ${["mild", "windy", "cold", "bright"][i % 4]} on most days.`;

function tool(name: string, description: string): AnyTool {
  const schema = z.object({ query: z.string().default("") });
  return {
    name,
    description,
    schema,
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    safety: "safe",
    timeoutMs: 1000,
    label: () => name,
    execute: async () => ({ text: "", summary: "" }),
  };
}
