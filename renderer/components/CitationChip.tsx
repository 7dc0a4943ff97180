import type { FoundPassage } from "../../core/contract/index.ts";
import { shared } from "../words/shared.ts";
import { Tooltip } from "./Tooltip.tsx";

export interface CitationChipProps {
  readonly number: number;
  readonly passage?: FoundPassage;
  readonly onOpen: (number: number) => void;
}

/** `[1]` in an answer: opens the passage it stands on. */
export function CitationChip({ number, passage, onOpen }: CitationChipProps) {
  const where = passage ? [passage.title, passage.place].filter(Boolean).join(", ") : String(number);
  return (
    <Tooltip text={where}>
      <button type="button" className="cite" aria-label={shared.source(number, where)} onClick={() => onOpen(number)}>
        {number}
      </button>
    </Tooltip>
  );
}
