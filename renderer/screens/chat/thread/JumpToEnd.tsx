import { Button } from "../../../components/Button.tsx";
import { chat as words } from "../../../words/chat.ts";

/** Shown while the end is out of view. */
export function JumpToEnd({ live, onClick }: { readonly live: boolean; readonly onClick: () => void }) {
  return (
    <Button className="jump" size="s" icon="down" onClick={onClick}>
      {live ? words.toLive : words.toEnd}
    </Button>
  );
}
