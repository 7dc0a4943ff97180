import { Icon } from "../../components/Icon.tsx";
import { bytes } from "../../format/numbers.ts";
import type { InstalledModel } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";

/** Where a file may be dropped, and which models do the quiet work. */
export function DropPlace({ models }: { readonly models: readonly InstalledModel[] }) {
  const first = (role: InstalledModel["role"]) =>
    models.find((model) => model.role === role && model.active) ?? models.find((model) => model.role === role);
  const embed = first("embed");
  const rerank = first("rerank");
  return (
    <div className="drop-place">
      <Icon name="import" size="l" />
      <div className="grow">
        <b className="m">{words.dropTitle}</b>
        <p className="f12 dim">{words.dropDetail}</p>
      </div>
      <ul className="f12 others">
        <li className="row">
          <Icon name="search" size="s" className="faint" />
          {embed ? words.searchUses(embed.name, bytes(embed.sizeBytes)) : words.searchByWords}
        </li>
        <li className="row">
          <Icon name="list" size="s" className="faint" />
          {rerank ? words.rankingUses(rerank.name, bytes(rerank.sizeBytes)) : words.rankingByRules}
        </li>
      </ul>
    </div>
  );
}
