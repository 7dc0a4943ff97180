import { useState } from "react";
import { TextField } from "../../components/Field.tsx";
import { changeSettings } from "../../hooks/useSettings.ts";
import { tools as words } from "../../words/tools.ts";

/** An address the search may go to: `{query}` stands for the words. */
export function isSearchAddress(text: string): boolean {
  try {
    const url = new URL(text.replace("{query}", "x"));
    return url.protocol === "https:" || url.protocol === "http:";
  } catch {
    return false;
  }
}

/** Kept when the field is left or Enter pressed; a wrong address stays in the field, with the reason. */
export function SearchEngine({ value }: { readonly value: string | null }) {
  const [text, setText] = useState(value ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const keep = () => {
    const next = text.trim();
    if (next !== "" && !isSearchAddress(next)) return setProblem(words.engineWrong);
    setProblem(null);
    if (next !== (value ?? "")) void changeSettings({ searchEngine: next === "" ? null : next });
  };
  return (
    <div className="setting tall">
      <TextField
        label={words.engine}
        placeholder={words.enginePlaceholder}
        value={text}
        spellCheck={false}
        maxLength={500}
        hint={words.engineNote}
        problem={problem}
        onChange={setText}
        onBlur={keep}
        onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && keep()}
      />
    </div>
  );
}
