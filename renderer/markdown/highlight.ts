/**
 * Colours code with shiki's grammars on the JavaScript regex engine: no WebAssembly, no eval. Lines are coloured one by
 * one and kept with the grammar's state after them, so that code that grows costs its last line only.
 */
import { createHighlighterCore, type GrammarState, type HighlighterCore, type ThemeRegistration } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { loadLanguage } from "./languages.ts";

export interface TokenSpan {
  readonly text: string;
  /** `tk` keyword or call, `ts` text, `tc` comment; null is plain. */
  readonly kind: "tk" | "ts" | "tc" | null;
}

/** Colours stand for the three classes; they never reach the page. */
const theme: ThemeRegistration = {
  name: "credence",
  type: "light",
  fg: "#000000",
  bg: "#ffffff",
  settings: [
    { settings: { foreground: "#000000" } },
    {
      scope: ["keyword", "storage", "support.function", "entity.name.function", "entity.name.tag", "constant.language"],
      settings: { foreground: "#000001" },
    },
    { scope: ["keyword.operator"], settings: { foreground: "#000000" } },
    { scope: ["string", "constant.character"], settings: { foreground: "#000002" } },
    { scope: ["comment", "punctuation.definition.comment"], settings: { foreground: "#000003" } },
  ],
};
const kinds: Record<string, TokenSpan["kind"]> = { "#000001": "tk", "#000002": "ts", "#000003": "tc" };

let highlighter: Promise<HighlighterCore> | null = null;
const loaded = new Map<string, Promise<void>>();

/** Ready to colour `language`, a name of the table. */
export async function highlighterFor(language: string): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  if (!loaded.has(language)) {
    loaded.set(
      language,
      loadLanguage(language).then((grammar) => core.loadLanguage(grammar)),
    );
  }
  await loaded.get(language);
  return core;
}

export interface LineCache {
  readonly lines: { text: string; spans: readonly TokenSpan[]; after: GrammarState | undefined }[];
}

/** Lines longer than this stay plain: a minified file must not hold up the window. */
const longestLine = 2000;

/** The coloured lines of `code`, taking from `cache` every leading line that did not change. */
export function highlightLines(
  core: HighlighterCore,
  language: string,
  code: string,
  cache: LineCache,
): readonly TokenSpan[][] {
  const texts = code.split("\n");
  const lines = cache.lines;
  let same = 0;
  while (same < texts.length && same < lines.length && lines[same]!.text === texts[same]) same += 1;
  lines.length = same;
  for (let index = same; index < texts.length; index += 1) {
    const text = texts[index]!;
    const before = lines[index - 1]?.after;
    lines.push(
      text.length > longestLine ? { text, spans: plain(text), after: before } : colour(core, language, text, before),
    );
  }
  return lines.map((line) => line.spans as TokenSpan[]);
}

function colour(core: HighlighterCore, language: string, text: string, before: GrammarState | undefined) {
  const result = core.codeToTokens(text, {
    lang: language,
    theme: "credence",
    ...(before ? { grammarState: before } : {}),
  });
  const spans: TokenSpan[] = (result.tokens[0] ?? []).map((token) => ({
    text: token.content,
    kind: kinds[(token.color ?? "").toLowerCase()] ?? null,
  }));
  return { text, spans, after: result.grammarState };
}

export const plain = (text: string): readonly TokenSpan[] => [{ text, kind: null }];
