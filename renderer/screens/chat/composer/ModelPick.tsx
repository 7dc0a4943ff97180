import { Icon } from "../../../components/Icon.tsx";
import { Menu } from "../../../components/Menu.tsx";
import { percent } from "../../../format/numbers.ts";
import { act } from "../../../hooks/useAction.ts";
import { chooseModels, type Models } from "../../../hooks/useModels.ts";
import { navigate } from "../../../hooks/useRoute.ts";
import { chat as words } from "../../../words/chat.ts";

/** Which model answers; another one is a click away. */
export function ModelPick({ models }: { readonly models: Models }) {
  const { active, chat } = models;
  const loading = active?.state === "loading";
  const name = active?.name ?? (models.data ? words.noModel : "");
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button type="button" className="pick" aria-label={`${words.model}: ${name}`}>
          <Icon name="models" size="s" />
          <span className="cut">{name}</span>
          {loading && active.loadProgress !== null && <span className="faint num">{percent(active.loadProgress)}</span>}
          <Icon name="down" size="s" />
        </button>
      }
      groups={[
        {
          items: chat.map((model) => ({
            label: model.name,
            checked: model.active,
            disabled: model.fits === "no",
            note: model.fits === "no" ? words.tooLarge : undefined,
            run: () => act("models.use", { id: model.id }),
          })),
        },
        {
          items: [
            { label: words.importModel, icon: "import", run: chooseModels },
            { label: words.allModels, icon: "models", run: () => navigate({ screen: "models" }) },
          ],
        },
      ]}
    />
  );
}
