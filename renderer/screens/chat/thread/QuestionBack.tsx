import { useEffect, useRef } from "react";
import { Button } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { msSinceInput } from "../../../keyboard/lastInput.ts";
import { useShortcut } from "../../../keyboard/useShortcut.ts";
import type { Question } from "../../../turns/view.ts";
import { chat as words } from "../../../words/chat.ts";

export interface QuestionBackProps {
  readonly question: Question;
  readonly onAnswer: (text: string) => void;
}

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** A row of the list is hidden until it is measured, and hidden things take no focus: tries for a few frames. */
function focusWhenShown(target: HTMLElement | null): () => void {
  let left = 20;
  let frame = 0;
  const attempt = () => {
    const field = document.activeElement;
    const writing = field instanceof HTMLTextAreaElement && (field.value !== "" || msSinceInput() < 800);
    if (!target || writing || field === target || left === 0) return;
    left -= 1;
    target.focus({ preventScroll: true });
    frame = requestAnimationFrame(attempt);
  };
  frame = requestAnimationFrame(attempt);
  return () => cancelAnimationFrame(frame);
}

/** Credence asks back: options by number, the user's own words below, or going on without. */
export function QuestionBack({ question, onAnswer }: QuestionBackProps) {
  const first = useRef<HTMLButtonElement>(null);
  const options = question.options.slice(0, 9);
  useEffect(() => focusWhenShown(first.current), []);
  useShortcut({
    keys: digits.slice(0, options.length),
    run: (event) => {
      const option = options[Number(event.key) - 1];
      if (option !== undefined) onAnswer(option);
    },
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a card
    <div className="question" role="group" aria-label={words.questionFrom}>
      <Icon name="ask" className="acc" />
      <p className="asked">{question.question}</p>
      <div className="options">
        {options.map((option, index) => (
          <button
            key={option}
            type="button"
            className="opt"
            ref={index === 0 ? first : undefined}
            onClick={() => onAnswer(option)}
          >
            <kbd className="kbd">{index + 1}</kbd>
            <span>{option}</span>
          </button>
        ))}
      </div>
      <p className="row f12 faint own">
        <span className="grow">{options.length > 0 ? words.orWrite : words.writeBelow}</span>
        <Button kind="quiet" size="s" onClick={() => onAnswer(words.withoutAnswer)}>
          {words.goOnWithout}
        </Button>
      </p>
    </div>
  );
}
