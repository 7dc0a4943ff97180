/** JSON from a model, checked twice: the grammar gives its form, the zod schema its meaning. */
import { z } from "zod";
import { CredenceError } from "../../contract/index.ts";
import type { StructuredRequest, StructuredResult } from "../engine/protocol.ts";
import type { ChatMessage, Sampling } from "../types.ts";

export interface StructuredCall<Schema extends z.ZodType> {
  readonly messages: readonly ChatMessage[];
  readonly schema: Schema;
  readonly maxTokens: number;
  readonly maxPromptTokens: number;
  readonly sampling?: Sampling;
  readonly cacheKey?: string;
}

/** At most two tries: the second one samples, so that it does not repeat the first. Throws `models.structured-invalid`. */
export async function structuredCall<Schema extends z.ZodType>(
  call: StructuredCall<Schema>,
  ask: (request: StructuredRequest) => Promise<StructuredResult>,
): Promise<{ value: z.output<Schema>; promptTokens: number; generatedTokens: number }> {
  const schema = jsonSchemaOf(call.schema);
  let problem = "";
  let text = "";
  let promptTokens = 0;
  let generatedTokens = 0;
  for (const attempt of [0, 1]) {
    const retry: Sampling = attempt === 0 ? {} : { temperature: 0.5, seed: (call.sampling?.seed ?? 0) + 1 };
    const result = await ask({
      messages: call.messages,
      schema,
      maxTokens: call.maxTokens,
      maxPromptTokens: call.maxPromptTokens,
      sampling: { ...call.sampling, ...retry },
      cacheKey: call.cacheKey ?? "structured",
    });
    promptTokens += result.promptTokens;
    generatedTokens += result.generatedTokens;
    text = result.text;
    const checked = check(call.schema, result);
    if (checked.ok) return { value: checked.value, promptTokens, generatedTokens };
    problem = checked.problem;
  }
  throw new CredenceError("models.structured-invalid", { problem, text: text.slice(0, 2000) });
}

function check<Schema extends z.ZodType>(
  schema: Schema,
  result: StructuredResult,
): { ok: true; value: z.output<Schema> } | { ok: false; problem: string } {
  if (result.cut) return { ok: false, problem: "it was cut short" };
  let value: unknown;
  try {
    value = JSON.parse(result.text);
  } catch {
    return { ok: false, problem: "it is not JSON" };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    problem: issue ? `${issue.path.join(".") || "the whole"}: ${issue.message}` : "it has the wrong shape",
  };
}

/** The JSON schema of what the model writes: the input side, with what JSON cannot say (refinements, brands) left to zod. */
function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Record<string, unknown>;
}
