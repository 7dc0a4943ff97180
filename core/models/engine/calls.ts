/**
 * Tool calls in the model family's own format. The model begins a call by itself; from its opening words on, name and
 * arguments are written under a grammar, so that a call is always one that exists with arguments of the right shape.
 */
import type { ChatWrapper, Llama, LlamaModel, LlamaText, Token, Tokenizer } from "node-llama-cpp";
import type { ToolCall, ToolDefinition } from "../types.ts";
import { type DecodeJob, decode } from "./decode.ts";
import { limitsFor, schemaToGrammar } from "./json-grammar.ts";
import type { LlamaModule } from "./llama.ts";
import { plainText } from "./render.ts";

/** Tokens that a call's arguments may take. */
const longestArguments = 1024;

/** The texts by which a model of this family begins a call. */
export function callOpenings(wrapper: ChatWrapper): string[] {
  const { call, parallelism } = wrapper.settings.functions;
  const starts = [
    call.prefix,
    ...(call.prefixAlternateMatches ?? []),
    ...(parallelism ? [parallelism.call.sectionPrefix, ...(parallelism.call.sectionPrefixAlternateMatches ?? [])] : []),
  ];
  return [...new Set(starts.map(opening).filter((text) => text.length >= 3))];
}

/** A format's first distinct words: its first control text, or all of it where it is plain. */
function opening(prefix: string | LlamaText): string {
  if (typeof prefix !== "string") {
    for (const value of prefix.values) {
      if (typeof value === "string" ? value.trim() !== "" : value.toString().trim() !== "") {
        if (typeof value !== "string" && value.toJSON().type === "specialTokensText") return value.toString().trim();
        break;
      }
    }
  }
  return plainText(prefix)?.trim() ?? "";
}

export interface CallTools {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly tokenizer: Tokenizer;
  readonly wrapper: ChatWrapper;
}

/** Writes one call that has been begun. `before` are tokens to evaluate ahead of it. Null when it was cut or stopped. */
export async function writeCall(
  on: CallTools,
  tools: readonly ToolDefinition[],
  before: readonly Token[],
  job: Omit<DecodeJob, "start" | "onToken" | "grammar">,
): Promise<{ call: ToolCall; tokens: number } | null> {
  const { call } = on.wrapper.settings.functions;
  const names = tools.map((tool) => `"${tool.name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`).join(" | ");
  let spent = 0;
  const write = async (start: readonly Token[], grammar: string, maxTokens: number): Promise<string | null> => {
    const written: Token[] = [];
    const end = await decode({
      ...job,
      start,
      maxTokens,
      sampling: { ...job.sampling, temperature: 0, repeatPenalty: 1, phrasePenalty: 0 },
      grammar: new on.module.LlamaGrammarEvaluationState({
        model: on.model,
        grammar: new on.module.LlamaGrammar(on.llama, { grammar }),
      }),
      onToken: (token) => {
        written.push(token);
        return "go";
      },
    });
    spent += written.length;
    return end === "end" ? on.model.detokenize(written) : null;
  };
  const name = await write([...before, ...tokensOf(on, call.prefix)], `root ::= ${names}`, 64);
  const tool = tools.find((candidate) => candidate.name === name?.trim());
  if (!tool) return null;
  const maxTokens = Math.min(longestArguments, job.maxTokens - spent);
  const args = await write(
    tokensOf(on, withName(on, call.paramsPrefix, tool.name)),
    schemaToGrammar(tool.parameters, limitsFor(tool.parameters, maxTokens)),
    maxTokens,
  );
  if (args === null) return null;
  return { call: { name: tool.name, args: JSON.parse(args) }, tokens: spent };
}

/** What stands between two calls, where the family can make several at once; null where it cannot. */
export function afterCall(on: CallTools, name: string): Token[] | null {
  const { call, parallelism } = on.wrapper.settings.functions;
  return parallelism ? tokensOf(on, withName(on, call.suffix, name)) : null;
}

function tokensOf(on: CallTools, text: string | LlamaText): Token[] {
  return on.module.LlamaText(text).tokenize(on.tokenizer, "trimLeadingSpace");
}

function withName(on: CallTools, text: string | LlamaText, name: string): LlamaText {
  return on.module
    .LlamaText(text)
    .mapValues((value) => (typeof value === "string" ? value.replaceAll("{{functionName}}", name) : value));
}
