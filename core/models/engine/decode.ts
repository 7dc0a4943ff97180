/** One generation: evaluates the last tokens of a prompt and samples on until something ends it. */
import type { LlamaContextSequence, LlamaGrammarEvaluationState, Token } from "node-llama-cpp";
import type { ResolvedSampling } from "../sampling.ts";
import type { Turn } from "./gate.ts";

export interface DecodeJob {
  readonly sequence: LlamaContextSequence;
  /** Tokens that come next; all before them are evaluated already. At least one. */
  readonly start: readonly Token[];
  readonly sampling: ResolvedSampling;
  readonly grammar?: LlamaGrammarEvaluationState;
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  readonly turn: Turn;
  /** Hears each token in order; `stop` ends the generation. */
  readonly onToken: (token: Token) => "go" | "stop";
}

export type DecodeEnd = "end" | "length" | "aborted" | "stop";

const punishedTokens = 64;

/**
 * Returns why it ended. While one token is looked at here the next one is already being computed, so looking costs no time;
 * after a stop the sequence then holds at most the stopping token itself.
 */
export async function decode(job: DecodeJob): Promise<DecodeEnd> {
  const { sequence, signal, turn, sampling } = job;
  if (job.maxTokens < 1) return "length";
  const recent: Token[] = [];
  const iterator = sequence.evaluate([...job.start], {
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    minP: sampling.minP,
    ...(sampling.seed === null ? { seed: Math.floor(Math.random() * 2 ** 32) } : { seed: sampling.seed }),
    ...(sampling.repeatPenalty > 1
      ? {
          repeatPenalty: {
            punishTokens: () => recent,
            penalty: sampling.repeatPenalty,
            maxPunishTokens: punishedTokens,
          },
        }
      : {}),
    ...(sampling.phrasePenalty > 0
      ? { dryRepeatPenalty: { strength: sampling.phrasePenalty, base: 1.75, allowedLength: 4, lastTokens: 1024 } }
      : {}),
    ...(job.grammar ? { grammarEvaluationState: job.grammar } : {}),
    contextShift: { strategy: refuseShift },
  });
  const next = async (): Promise<IteratorResult<Token, void>> => {
    const waiting = turn.step(signal);
    if (waiting) await waiting;
    return iterator.next();
  };
  let ended: DecodeEnd | null = null;
  let pending: Promise<IteratorResult<Token, void>> | null = next();
  try {
    for (let count = 1; ended === null; count++) {
      const step = await pending!;
      pending = null;
      if (step.done) ended = "end";
      else if (signal.aborted) ended = "aborted";
      else {
        recent.push(step.value);
        if (recent.length > punishedTokens) recent.shift();
        if (count < job.maxTokens) {
          pending = next();
          // Computing begins once the event loop comes round; what follows here then runs beside it, not before it.
          await new Promise(setImmediate);
        }
        if (job.onToken(step.value) === "stop") ended = "stop";
        else if (count >= job.maxTokens) ended = "length";
      }
    }
  } finally {
    if (pending) await pending.catch(() => {});
    await iterator.return().catch(() => {});
  }
  return ended!;
}

/** A full window is found out before it is reached; shifting old tokens out would forget silently. */
function refuseShift(): never {
  throw new Error("the context window is full");
}
