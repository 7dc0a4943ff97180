import { useState } from "react";
import { Icon } from "../../../components/Icon.tsx";
import { plural } from "../../../format/numbers.ts";
import { Markdown } from "../../../markdown/Markdown.tsx";
import { chat as words } from "../../../words/chat.ts";

/** What a reasoning model wrote to itself: apart from the answer, folded once the answer begins. */
export function Reasoning({ text, live }: { readonly text: string; readonly live: boolean }) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? live;
  const size = plural(text.split(/\s+/).filter(Boolean).length, "word");
  return (
    <section className="act reasoning">
      <button type="button" className="h" aria-expanded={open} onClick={() => setChosen(!open)}>
        <Icon name={open ? "down" : "right"} size="s" />
        {live ? words.reasoningLive : words.reasoning}
        <span className="faint">· {size}</span>
      </button>
      {open && (
        <div className="reasoning-text">
          <Markdown text={text} />
        </div>
      )}
    </section>
  );
}
