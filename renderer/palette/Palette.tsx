import { Dialog } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { useState } from "react";
import { Icon } from "../components/Icon.tsx";
import { Kbd } from "../components/Kbd.tsx";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { palette as words } from "../words/palette.ts";
import type { PaletteItem } from "./registry.ts";
import { usePaletteItems } from "./usePaletteItems.ts";
import "./palette.css";

/** Ctrl K: finds anything, does anything. `>` leaves commands only. */
export function Palette() {
  const [open, setOpen] = useState(false);
  useShortcut({ keys: "mod+k", run: () => setOpen(!open) });
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="dialog-view top">
          <Dialog.Popup className="dialog palette" aria-label={words.title}>
            <PaletteBody onClose={() => setOpen(false)} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const groups = usePaletteItems(text);
  const [moved, setMoved] = useState<{ text: string; id: string } | null>(null);
  // The first result is chosen until the user moves, also when a better one arrives a moment later.
  const ids = groups.flatMap((group) => group.items.map((item) => item.id));
  const chosen = moved?.text === text && ids.includes(moved.id) ? moved.id : (ids[0] ?? "");
  const run = (item: PaletteItem) => {
    onClose();
    item.run();
  };
  return (
    <Command
      shouldFilter={false}
      label={words.title}
      loop
      value={chosen}
      onValueChange={(id) => setMoved({ text, id })}
    >
      <div className="pal-head">
        <Icon name="search" />
        <Command.Input autoFocus value={text} onValueChange={setText} placeholder={words.placeholder} />
        <Kbd keys="escape" />
      </div>
      <Command.List className="pal-list" label={words.results}>
        <Command.Empty className="pal-empty dim">{words.nothing}</Command.Empty>
        {groups.map((group) => (
          <Command.Group key={group.title} heading={group.title}>
            {group.items.map((item) => (
              <Command.Item key={item.id} value={item.id} className="pr" onSelect={() => run(item)}>
                <Icon name={item.icon} />
                <span className="grow cut">{item.label}</span>
                {item.keys ? <Kbd keys={item.keys} /> : <span className="faint f12 nowrap">{item.note}</span>}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <div className="pal-foot f12 faint">
        <span>
          <Kbd keys="up" /> <Kbd keys="down" /> {words.move}
        </span>
        <span>
          <Kbd keys="enter" /> {words.open}
        </span>
        <span className="grow" />
        <span>
          {words.commandsBefore} <b className="m">&gt;</b> {words.commandsAfter}
        </span>
      </div>
    </Command>
  );
}
