import type { MemoryEntry } from "../../../core/contract/index.ts";
import { Chip } from "../../components/Chip.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { hourMinute } from "../../format/times.ts";
import { formatRoute } from "../../hooks/useRoute.ts";
import { memory as words } from "../../words/memory.ts";

const icons = { message: "chat", memory: "chat", document: "file", feed: "feeds" } as const satisfies Record<
  MemoryEntry["kind"],
  IconName
>;

/** Who or what it comes from, in a few words: "You said", "p. 14", "Feed entry". */
export function originOf(entry: MemoryEntry): string {
  if (entry.kind === "document" || entry.kind === "feed") return entry.place || words.kinds[entry.kind];
  return entry.speaker === "" ? words.kinds[entry.kind] : words.said(entry.speaker);
}

export function MemoryIcon({ kind }: { readonly kind: MemoryEntry["kind"] }) {
  return <Icon name={icons[kind]} />;
}

export interface MemoryRowProps {
  readonly entry: MemoryEntry;
  readonly current: boolean;
  readonly place: readonly string[];
  readonly query: Record<string, string>;
}

/** One remembered thing: its words, where it comes from, when. A link, so that it opens by keys too. */
export function MemoryRow({ entry, current, place, query }: MemoryRowProps) {
  const source = [originOf(entry), entry.title].filter(Boolean).join(" · ");
  return (
    <a
      className="memory-row"
      href={formatRoute({ screen: "memory", path: place, query: { ...query, entry: entry.id } })}
      aria-current={current ? "true" : undefined}
      draggable={false}
    >
      <span className="faint memory-kind">
        <MemoryIcon kind={entry.kind} />
      </span>
      <span className="grow memory-words">
        <span className="row">
          <span className="cut">{entry.text}</span>
          <span className="faint row memory-marks">
            {entry.claim && <Chip>{words.claim}</Chip>}
            {entry.pinned && (
              <span title={words.pinnedMark}>
                <Icon name="pin" size="s" />
                <span className="vh">{words.pinnedMark}</span>
              </span>
            )}
          </span>
        </span>
        <span className="f12 faint cut memory-source">{source}</span>
      </span>
      <span className="f12 faint num memory-time">{hourMinute(entry.at)}</span>
    </a>
  );
}
