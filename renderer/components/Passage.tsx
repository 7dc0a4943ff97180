import type { ReactNode } from "react";
import type { FoundPassage } from "../../core/contract/index.ts";
import { shared } from "../words/shared.ts";
import { Marked } from "./Marked.tsx";

export interface PassageProps {
  readonly passage: FoundPassage;
  readonly on?: boolean;
  readonly onOpen?: (passage: FoundPassage) => void;
  /** A quiet button under the words. */
  readonly action?: ReactNode;
}

/** A source's own words, in serif, with the best part marked and why it was found. */
export function Passage({ passage, on, onOpen, action }: PassageProps) {
  const title = <span className="m cut">{passage.title}</span>;
  return (
    <li className={on ? "psg on" : "psg"} data-passage={passage.number} aria-current={on ? "true" : undefined}>
      <div className="hd2">
        <span className={passage.cited ? "cite" : "cite unused"}>{passage.number}</span>
        {onOpen ? (
          <button type="button" className="open cut" onClick={() => onOpen(passage)} title={passage.title}>
            {title}
          </button>
        ) : (
          title
        )}
        <span className="faint nowrap place">{passage.place}</span>
      </div>
      <blockquote className="src">
        <Marked text={passage.text} mark={passage.mark} />
      </blockquote>
      <span className="f12 faint">
        {passage.cited ? shared.cited : shared.notUsed} · {passage.why}
      </span>
      {action}
    </li>
  );
}
