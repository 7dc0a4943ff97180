import { useEffect, useRef, useState } from "react";
import { Sheet } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { EmptyState } from "../../components/States.tsx";
import { Switch } from "../../components/Switch.tsx";
import { act } from "../../hooks/useAction.ts";
import { useReadOnly } from "../../hooks/useAppInfo.ts";
import { useModels } from "../../hooks/useModels.ts";
import { navigate, useRoute } from "../../hooks/useRoute.ts";
import { useSettings } from "../../hooks/useSettings.ts";
import { chat as words } from "../../words/chat.ts";
import { screens } from "../index.ts";
import { Composer, type ComposerHandle } from "./composer/Composer.tsx";
import { Gauge } from "./composer/Gauge.tsx";
import { ModelPick } from "./composer/ModelPick.tsx";
import { EngineBanner } from "./EngineBanner.tsx";

/** An empty chat: what may be asked, and a field. The first message makes the conversation. */
export function NewChat() {
  const models = useModels();
  const settings = useSettings();
  const readOnly = useReadOnly();
  const composer = useRef<ComposerHandle>(null);
  const [ephemeral, setEphemeral] = useState(false);
  const asked = useRoute().query["ask"];
  useEffect(() => {
    if (asked) composer.current?.fill(asked);
    else composer.current?.focus();
  }, [asked]);
  const send = async (text: string) => {
    const made = await act("conversations.create", ephemeral ? { ephemeral } : {});
    if (!made) return false;
    const sent = await act("turns.send", { conversationId: made.value.id, text });
    if (!sent) {
      await act("conversations.delete", { id: made.value.id });
      return false;
    }
    navigate({ screen: "chat", path: [made.value.id] }, { replace: true });
    return true;
  };
  const suggestions = words.suggestions.filter(
    (each) => each.screen === null || screens.some((screen) => screen.id === each.screen),
  );
  return (
    <Sheet title={words.newChat} banner={<EngineBanner />}>
      <section className="pane grow">
        <div className="thread-empty scroll">
          <div className="col">
            <EmptyState title={words.ask}>
              <p>{words.emptyBody}</p>
              <div className="suggestions">
                {suggestions.map((each) => (
                  <button
                    key={each.text}
                    type="button"
                    className="li"
                    onClick={() => composer.current?.fill(each.text)}
                  >
                    <Icon name={each.icon} />
                    {each.text}
                  </button>
                ))}
              </div>
            </EmptyState>
          </div>
        </div>
        <Composer
          handle={composer}
          conversationId="new"
          ephemeral={ephemeral}
          sendWithEnter={settings?.sendWithEnter ?? true}
          answering={false}
          asked={false}
          blocked={readOnly ? words.readOnly : null}
          onSend={send}
          onStop={() => undefined}
          controls={
            <>
              <ModelPick models={models} />
              <span className="pick trace">
                <Switch label={words.noTrace} checked={ephemeral} onChange={setEphemeral} />
                {words.noTrace}
              </span>
            </>
          }
          gauge={<Gauge turn={null} tokensPerSecond={null} />}
        />
      </section>
    </Sheet>
  );
}
