/** The shapes in which JSON says "call this tool with these arguments". */
import type { ToolCall } from "../../models/types.ts";
import { parseLenient } from "./lenient-json.ts";

const NAME_KEYS = ["name", "tool", "tool_name", "function", "function_name", "action", "tool_call", "call"] as const;
const ARGS_KEYS = [
  "arguments",
  "parameters",
  "args",
  "params",
  "input",
  "action_input",
  "tool_input",
  "kwargs",
] as const;
const LIST_KEYS = ["tool_calls", "calls", "function_calls", "actions", "tools"] as const;
const SIDE_KEYS = ["id", "type", "thought", "reasoning", "reason", "index"] as const;

/** Keys that the outermost object of a call can begin with; another first key means that it is no call. */
export const FIRST_KEYS: readonly string[] = [...NAME_KEYS, ...ARGS_KEYS, ...LIST_KEYS, ...SIDE_KEYS];

export type ShapeVerdict =
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[] }
  /** Exactly the shape of a call, but no such tool is on offer. */
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "no" };

/** Judges a parsed JSON value. */
export function callsInValue(value: unknown, names: readonly string[]): ShapeVerdict {
  if (Array.isArray(value)) return callsInList(value, names);
  if (!isRecord(value)) return { kind: "no" };
  for (const key of LIST_KEYS) {
    const list = value[key];
    if (Array.isArray(list) && list.length > 0) {
      const verdict = callsInList(list, names);
      if (verdict.kind !== "no") return verdict;
    }
  }
  return callInObject(value, names);
}

/** Absent arguments, null, "" and "{}" are all `{}`; arguments given as a JSON string are parsed. */
export function normalizeArgs(args: unknown): unknown {
  if (args === undefined || args === null || args === "") return {};
  if (Array.isArray(args) && args.length === 0) return {};
  if (typeof args === "string") {
    const parsed = /^\s*\{/.test(args) ? parseLenient(args, args.indexOf("{")) : null;
    return parsed && isRecord(parsed.value) ? parsed.value : args;
  }
  return args;
}

/** The name on offer that `name` means, a namespace ("functions.") aside. */
export function knownName(name: string, names: readonly string[]): string | null {
  const bare = name.trim().replace(/^(?:functions?|tools?|default_api|api)[./:]/, "");
  return names.find((known) => known === bare) ?? null;
}

function callsInList(list: readonly unknown[], names: readonly string[]): ShapeVerdict {
  if (list.length === 0) return { kind: "no" };
  const calls: ToolCall[] = [];
  for (const item of list) {
    const verdict = isRecord(item) ? callInObject(item, names) : ({ kind: "no" } as const);
    if (verdict.kind !== "calls") return verdict;
    calls.push(...verdict.calls);
  }
  return { kind: "calls", calls };
}

function callInObject(object: Record<string, unknown>, names: readonly string[]): ShapeVerdict {
  const keys = Object.keys(object);
  // {"recall_memory": {"query": "…"}}
  if (keys.length === 1) {
    const known = knownName(keys[0]!, names);
    const args = object[keys[0]!];
    if (known !== null && (isRecord(args) || args === null))
      return { kind: "calls", calls: [{ name: known, args: normalizeArgs(args) }] };
  }
  for (const key of NAME_KEYS) {
    const named = object[key];
    if (isRecord(named)) {
      // {"type": "function", "function": {"name": …, "arguments": …}}
      const verdict = callInObject(named, names);
      if (verdict.kind !== "no") return verdict;
    }
    if (typeof named !== "string") continue;
    const argsKey = ARGS_KEYS.find((candidate) => candidate in object);
    const known = knownName(named, names);
    const rest = keys.filter((k) => k !== key && k !== argsKey && !(SIDE_KEYS as readonly string[]).includes(k));
    if (known !== null) {
      if (argsKey !== undefined)
        return { kind: "calls", calls: [{ name: known, args: normalizeArgs(object[argsKey]) }] };
      // {"name": "recall_memory", "query": "…"}: the rest are the arguments.
      return { kind: "calls", calls: [{ name: known, args: Object.fromEntries(rest.map((k) => [k, object[k]])) }] };
    }
    const exact = argsKey !== undefined && rest.length === 0 && (isRecord(object[argsKey]) || object[argsKey] === null);
    if (exact && looksLikeToolName(named)) return { kind: "unknown", name: named };
  }
  return { kind: "no" };
}

/** "get_weather", "web.search": what a model invents as a tool's name, and no person is called. */
export function looksLikeToolName(name: string): boolean {
  return /^[a-z][a-z0-9]*(?:[_.][a-z0-9]+)+$/.test(name) || /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(name);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
