import { Icon } from "../../../components/Icon.tsx";
import { chat as words } from "../../../words/chat.ts";

export interface ScopePickProps {
  readonly scope: readonly string[];
  readonly onClear: () => void;
}

/** Answers are drawn from these collections only; the cross lifts that. */
export function ScopePick({ scope, onClear }: ScopePickProps) {
  return (
    <span className="pick set">
      <Icon name="folder" size="s" />
      <span className="cut">{scope.join(", ")}</span>
      <button type="button" className="clear" aria-label={words.liftScope} onClick={onClear}>
        <Icon name="x" size="s" />
      </button>
    </span>
  );
}
