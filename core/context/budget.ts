/** How a model's window is shared out. All figures are tokens of the model's own tokenizer. */
export interface Budget {
  readonly window: number;
  /** `floor(0.65 × window)`: beyond it quality drops well before the window ends. */
  readonly effective: number;
  /** Kept free for the reply, inside `effective`. */
  readonly reserved: number;
  /** What a prompt may take: `effective - reserved`. */
  readonly prompt: number;
}

const EFFECTIVE_SHARE = 0.65;
const LARGEST_WINDOW = 262_144;
const FULL_RESERVE = 8_192;
/** On small windows the reserve shrinks with them, so that most of the budget is left for the prompt. */
const RESERVE_SHARE = 0.25;

export function budgetFor(window: number): Budget {
  const whole = Math.min(Math.max(0, Math.floor(window)), LARGEST_WINDOW);
  const effective = Math.floor(EFFECTIVE_SHARE * whole);
  const reserved = Math.min(FULL_RESERVE, Math.floor(effective * RESERVE_SHARE));
  return { window: whole, effective, reserved, prompt: effective - reserved };
}

/** How long a reply to a prompt of `promptTokens` may get: the reserve, or more while the window has room for it. */
export function replyLimit(budget: Budget, promptTokens: number): number {
  return Math.max(1, Math.min(FULL_RESERVE, Math.max(budget.reserved, budget.window - promptTokens - 16)));
}
