import { useEffect, useMemo, useRef, useState } from "react";
import type { HighlighterCore } from "shiki/core";
import { highlighterFor, highlightLines, type LineCache, plain, type TokenSpan } from "./highlight.ts";
import { languageName } from "./languages.ts";

/** The lines of a block of code, plain at first and coloured once its grammar is read. */
export function useHighlight(code: string, said: string | null): readonly (readonly TokenSpan[])[] {
  const language = languageName(said);
  const [core, setCore] = useState<HighlighterCore | null>(null);
  const cache = useRef<LineCache>({ lines: [] });

  useEffect(() => {
    cache.current = { lines: [] };
    setCore(null);
    if (language === null) return;
    let current = true;
    highlighterFor(language).then(
      (ready) => current && setCore(ready),
      () => undefined, // it stays plain
    );
    return () => {
      current = false;
    };
  }, [language]);

  return useMemo(() => {
    if (core && language) return highlightLines(core, language, code, cache.current);
    return code.split("\n").map(plain);
  }, [code, core, language]);
}
