import { type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { Button, IconButton } from "../../../components/Button.tsx";
import { attachFiles } from "../../../drop/attachFiles.ts";
import { chat as words } from "../../../words/chat.ts";
import { onEnter } from "./sendKeys.ts";
import { useDraft } from "./useDraft.ts";

export interface ComposerHandle {
  focus(): void;
  fill(text: string): void;
}

export interface ComposerProps {
  readonly conversationId: string;
  readonly ephemeral: boolean;
  readonly sendWithEnter: boolean;
  readonly answering: boolean;
  /** A question is open: what is written answers it. */
  readonly asked: boolean;
  /** Why nothing can be written, or null. */
  readonly blocked: string | null;
  /** Resolves false when it could not be sent; the text stays then. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
  /** Model, scope: what stands at the left under the text. */
  readonly controls: ReactNode;
  readonly gauge: ReactNode;
  readonly handle: Ref<ComposerHandle>;
}

export function Composer(props: ComposerProps) {
  const { conversationId, ephemeral, sendWithEnter, answering, asked, blocked, onSend, onStop, controls, gauge } =
    props;
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(conversationId, ephemeral);
  const empty = draft.text.trim() === "";
  useImperativeHandle(props.handle, () => ({
    focus: () => field.current?.focus(),
    fill: (text) => {
      draft.set(text);
      field.current?.focus();
    },
  }));
  const send = async () => {
    const text = draft.text.trim();
    if (text === "" || blocked) return;
    draft.set("");
    if (!(await onSend(text))) draft.set(text);
  };
  const placeholder = blocked ?? (asked ? words.answerHere : answering ? words.askWhileAnswering : words.ask);
  return (
    <div className="comp">
      <div className="col">
        <div className="box">
          <textarea
            ref={field}
            className="ta"
            rows={1}
            aria-label={asked ? words.answerHere : words.message}
            placeholder={placeholder}
            value={draft.text}
            disabled={blocked !== null}
            spellCheck
            onChange={(event) => draft.set(event.target.value)}
            onKeyDown={(event) => {
              const { isComposing, keyCode } = event.nativeEvent;
              const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
              const meaning = onEnter({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing, keyCode }, sendWithEnter);
              if (meaning === "send") {
                event.preventDefault();
                void send();
              }
            }}
          />
          <div className="ctl">
            <IconButton icon="clip" label={words.attach} disabled={blocked !== null} onClick={attachFiles} />
            {controls}
            <span className="grow" />
            {answering && !asked && (
              <Button icon="stop" keys="escape" onClick={onStop}>
                {words.stop}
              </Button>
            )}
            {(!answering || asked || !empty) && (
              <Button
                kind="primary"
                icon="up"
                keys={sendWithEnter ? "enter" : "mod+enter"}
                disabled={blocked !== null}
                onClick={() => (empty ? field.current?.focus() : void send())}
              >
                {words.send}
              </Button>
            )}
          </div>
        </div>
        {gauge}
      </div>
    </div>
  );
}
