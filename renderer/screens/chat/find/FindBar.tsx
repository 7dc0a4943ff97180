import { useEffect, useRef } from "react";
import { IconButton } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/Field.tsx";
import { count } from "../../../format/numbers.ts";
import { chat as words } from "../../../words/chat.ts";
import { shared } from "../../../words/shared.ts";
import type { Find } from "./useFind.ts";

export function FindBar({ find }: { readonly find: Find }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const state =
    find.text.trim() === ""
      ? ""
      : find.count > 0
        ? words.findPlace(count(find.at), count(find.count))
        : find.searching
          ? words.findLooking
          : words.findNothing;
  return (
    <search className="find-bar">
      <SearchField
        ref={field}
        autoFocus
        label={words.findHere}
        value={find.text}
        onChange={find.setText}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (event.shiftKey) find.previous();
          else find.next();
        }}
      />
      <span className="f12 faint num" role="status">
        {state}
      </span>
      <IconButton
        icon="up"
        label={words.findPrevious}
        keys="shift+enter"
        onClick={find.previous}
        disabled={find.count < 2}
      />
      <IconButton icon="down" label={words.findNext} keys="enter" onClick={find.next} disabled={find.count < 2} />
      <IconButton icon="x" label={shared.close} keys="escape" onClick={find.close} />
    </search>
  );
}
