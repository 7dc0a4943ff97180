/**
 * The written forms of a call, one function each. Every function judges what stands at one place of a reply, and is told
 * whether more text may come; what it answers for unfinished text never contradicts what it says of the finished one.
 */
import type { ToolCall } from "../../models/types.ts";
import { parseLenient } from "./lenient-json.ts";
import { callsInValue, FIRST_KEYS, isRecord, knownName, looksLikeToolName, normalizeArgs } from "./shapes.ts";

export interface Place {
  readonly text: string;
  readonly at: number;
  readonly names: readonly string[];
  /** The text is whole: nothing will follow. */
  readonly final: boolean;
}

export type Verdict =
  /** Prose (or code); scanning goes on at `next`. */
  | { readonly kind: "no"; readonly next: number }
  /** Can still become a call. */
  | { readonly kind: "open" }
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[]; readonly end: number }
  | { readonly kind: "bad"; readonly problem: string; readonly end: number };

const OPEN: Verdict = { kind: "open" };
const no = (next: number): Verdict => ({ kind: "no", next });

/** `{"name": …}` or `[{"name": …}]`, anywhere in the reply. */
export function jsonForm(place: Place): Verdict {
  const { text, at, names, final } = place;
  const start = /^[[\s]*\{\s*/.exec(text.slice(at, at + 64));
  const behind = at + (start?.[0].length ?? 0);
  if (!start) return !final && /^[[\s]*$/.test(text.slice(at)) ? OPEN : no(at + 1);
  const key = /^(["']?)([\w$.-]*)(\1)?/.exec(text.slice(behind, behind + 96))!;
  const word = key[2]!;
  const keyDone =
    behind + key[0].length < text.length && (key[1] === "" || key[3] !== undefined || !/[\w$.-]$/.test(key[0]));
  const firsts = [...FIRST_KEYS, ...names];
  if (!keyDone) {
    if (final) return no(at + 1);
    return word === "" || firsts.some((first) => first.startsWith(word)) ? OPEN : no(behind);
  }
  if (!firsts.includes(word) && knownName(word, names) === null) return no(behind);
  const parsed = parseLenient(text, at);
  if (!parsed) {
    return final && namesTool(text.slice(at, at + 400), names)
      ? { kind: "bad", problem: "The call is not valid JSON.", end: text.length }
      : no(behind);
  }
  if (!parsed.whole) {
    if (!final) return couldBeCall(parsed.value, names) ? OPEN : no(behind);
    const cut = callsInValue(parsed.value, names);
    // Closed for the model only when no string was cut: a half query is worse than a second try.
    if (cut.kind === "calls" && endsClosed(text)) return { ...cut, end: text.length };
    return cut.kind === "calls" || namesTool(text.slice(at, at + 400), names)
      ? { kind: "bad", problem: "The call was cut short before its JSON ended.", end: text.length }
      : no(behind);
  }
  const verdict = callsInValue(parsed.value, names);
  if (verdict.kind === "calls") return { ...verdict, end: parsed.end };
  if (verdict.kind === "unknown" && text.slice(0, at).trim() === "") {
    // A whole reply of exactly this shape is a call; the same within an explanation is an example.
    if (text.slice(parsed.end).trim() === "") return final ? unknownTool(verdict.name, names, parsed.end) : OPEN;
  }
  return no(parsed.end);
}

const TAG =
  /^<\|?(?:tool_calls?|function_calls?|tools|invoke|function|tool|tool_code|python_tag|tool▁calls?▁begin|tool▁call▁begin)\b|^\[TOOL_CALLS\]/;
const TAG_STARTS = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<function_calls>",
  "<tools>",
  "<invoke ",
  "<function=",
  "<function ",
  "<tool ",
  "<tool_code>",
  "<|tool_call|>",
  "<|tool_calls|>",
  "<|tool_call_begin|>",
  "<|function_call|>",
  "<|python_tag|>",
  "<|tool▁calls▁begin|>",
  "<|tool▁call▁begin|>",
  "[TOOL_CALLS]",
];

/** `<tool_call>{…}</tool_call>`, `<function=name>…</function>`, `<invoke name="…">…</invoke>`, `[TOOL_CALLS]…`. */
export function tagForm(place: Place): Verdict {
  const { text, at, final } = place;
  if (text[at - 1] === "`") return no(at + 1);
  const ahead = text.slice(at, at + 24);
  if (!TAG.test(ahead)) {
    if (!final && TAG_STARTS.some((tag) => tag.startsWith(text.slice(at)))) return OPEN;
    return no(at + 1);
  }
  if (!final && TAG_STARTS.some((tag) => tag.startsWith(text.slice(at)) && tag !== text.slice(at))) return OPEN;
  const opener = /^(?:<[^<>\n]{0,120}>|\[TOOL_CALLS\])/.exec(text.slice(at, at + 128));
  if (!opener) return !final && text.length - at < 128 ? OPEN : no(at + 1);
  const head = opener[0];
  const behind = at + head.length;
  const own = /^<(?:function=|function name=|invoke name=|tool name=)["']?([\w.:/-]+)/.exec(head)?.[1];
  // An element of this name without a tool's name ("<function>", "<tool>") is somebody's markup.
  if (own === undefined && /^<(?:function|invoke|tool)\b/.test(head)) return no(behind);
  if (own !== undefined) return namedTag(place, behind, own);
  const inside = text.slice(behind);
  const first = behind + (/^\s*(?:<[^<>]{0,80}>|```(?:json)?|\s)*/.exec(inside)?.[0].length ?? 0);
  if (first >= text.length) {
    if (!final) return OPEN;
    return strong(head) ? { kind: "bad", problem: "The call is empty.", end: text.length } : no(behind);
  }
  const nested = /<(?:function=|invoke name=|function name=)/.exec(inside.slice(0, first - behind));
  if (nested) return tagForm({ ...place, at: behind + nested.index });
  return bodyOf(place, head, behind, first);
}

function bodyOf(place: Place, head: string, behind: number, first: number): Verdict {
  const { text, names, final } = place;
  if (text[first] === "{" || text[first] === "[") {
    const parsed = parseLenient(text, first);
    if (parsed && !parsed.whole && !final) return OPEN;
    if (parsed) {
      const verdict = callsInValue(parsed.value, names);
      if (verdict.kind === "calls" && (parsed.whole || endsClosed(text)))
        return { ...verdict, end: afterClosing(text, parsed.end) };
      if (verdict.kind === "unknown") return unknownTool(verdict.name, names, afterClosing(text, parsed.end));
    }
    if (!final && !/<\/|\n\n/.test(text.slice(first))) return OPEN;
    return strong(head)
      ? { kind: "bad", problem: "The call is not valid JSON with a name and arguments.", end: closing(text, first) }
      : no(behind);
  }
  const python = pythonForm({ ...place, at: first }, true);
  if (python.kind === "calls") return { ...python, end: afterClosing(text, python.end) };
  if (python.kind === "open") return python;
  // <tool_call>recall_memory</tool_call> or "recall_memory {…}"
  const bare = /^([\w.:/-]+)\s*(?:<[^>]*>\s*)?/.exec(text.slice(first, first + 160));
  const known = bare ? knownName(bare[1]!, names) : null;
  if (bare && known !== null) {
    const next = first + bare[0].length;
    if (text[next] === "{") {
      const parsed = parseLenient(text, next);
      if (parsed?.whole === false && !final) return OPEN;
      if (parsed && isRecord(parsed.value))
        return { kind: "calls", calls: [{ name: known, args: parsed.value }], end: afterClosing(text, parsed.end) };
    }
    if (next >= text.length && !final) return OPEN;
    return { kind: "calls", calls: [{ name: known, args: {} }], end: closing(text, first) };
  }
  if (!final && closing(text, first) === text.length && text.length - first < 160 && strong(head)) return OPEN;
  return strong(head) ? { kind: "bad", problem: "The call names no tool.", end: closing(text, first) } : no(behind);
}

/** `<function=name>` or `<invoke name="name">` with JSON or `<parameter …>` elements inside. */
function namedTag(place: Place, behind: number, name: string): Verdict {
  const { text, names, final } = place;
  const close = /<\/(?:function|invoke|tool)>/.exec(text.slice(behind));
  const brace = /^\s*\{/.exec(text.slice(behind));
  const parsed = brace ? parseLenient(text, behind + brace[0].length - 1) : null;
  if (!close && !(parsed?.whole ?? false) && !final) return OPEN;
  const known = knownName(name, names);
  const end = close
    ? afterClosing(text, behind + close.index)
    : parsed?.whole
      ? afterClosing(text, parsed.end)
      : text.length;
  if (known === null) return unknownTool(name, names, end);
  if (brace) {
    if (!parsed || !isRecord(parsed.value) || (!parsed.whole && !endsClosed(text)))
      return { kind: "bad", problem: "The arguments are not valid JSON.", end };
    return { kind: "calls", calls: [{ name: known, args: normalizeArgs(parsed.value) }], end };
  }
  const args: [string, unknown][] = [];
  const body = text.slice(behind, close ? behind + close.index : text.length);
  for (const match of body.matchAll(
    /<(?:parameter|param|arg)(?:=| name=)["']?([\w.-]+)["']?\s*>([\s\S]*?)(?:<\/(?:parameter|param|arg)>|(?=<(?:parameter|param|arg)\b)|$)/g,
  )) {
    args.push([match[1]!, scalar(match[2]!.trim())]);
  }
  return { kind: "calls", calls: [{ name: known, args: Object.fromEntries(args) }], end };
}

const CALL_PREFIX = /^(?:await |return |print\(|[a-z_]\w* ?= ?|(?:default_api|functions?|tools?|api)\.)*/;

/** `recall_memory(query="…")` alone on its line, or a list of such calls in brackets. */
export function pythonForm(place: Place, inTag = false): Verdict {
  const { text, at, names, final } = place;
  const list = text[at] === "[";
  const calls: ToolCall[] = [];
  let here = at + (list ? 1 : 0);
  for (;;) {
    here += /^\s*/.exec(text.slice(here))![0].length;
    const rest = text.slice(here, here + 200);
    const prefix = CALL_PREFIX.exec(rest)![0];
    const name = /^[\w.]*/.exec(rest.slice(prefix.length))![0];
    const opening = here + prefix.length + name.length;
    const known = knownName(name, names);
    if (opening >= text.length) return !final && mayBecomeName(prefix, name, names) ? OPEN : no(at + 1);
    const gap = /^ ?\(/.exec(text.slice(opening, opening + 2));
    if (known === null || !gap) {
      const justSpace = known !== null && !final && text.slice(opening) === " ";
      return justSpace ? OPEN : no(at + 1);
    }
    const args = pythonArgs(text, opening + gap[0].length);
    if (args.kind === "open") {
      if (!final) return OPEN;
      return { kind: "bad", problem: "The call was cut short before its arguments ended.", end: text.length };
    }
    if (args.kind === "no") {
      const line = /^[^\n]*/.exec(text.slice(here))![0];
      if (!final && here + line.length === text.length && line.length < 200) return OPEN;
      return /\)[);\s]*$/.test(line)
        ? { kind: "bad", problem: "The arguments cannot be read.", end: here + line.length }
        : no(at + 1);
    }
    calls.push({ name: known, args: args.args });
    here = args.end;
    const tail = /^[ \t]*(?:\)|;)*[ \t]*/.exec(text.slice(here))![0].length;
    here += tail;
    const sign = text[here];
    if (list && sign === ",") {
      here++;
      continue;
    }
    if (list && sign === "]") return { kind: "calls", calls, end: here + 1 };
    if (sign === undefined) return final || inTag ? { kind: "calls", calls, end: here } : OPEN;
    if (list) return no(at + 1);
    // "recall_memory(query) looks things up." is a sentence about the tool, not a call.
    if (sign === "\n" || sign === "\r" || sign === "<" || (inTag && sign === "`"))
      return { kind: "calls", calls, end: here };
    return no(at + 1);
  }
}

type Args = { kind: "open" } | { kind: "no" } | { kind: "args"; args: unknown; end: number };

function pythonArgs(text: string, start: number): Args {
  const args: [string, unknown][] = [];
  let at = start;
  for (;;) {
    at += /^[\s,]*/.exec(text.slice(at))![0].length;
    if (at >= text.length) return { kind: "open" };
    if (text[at] === ")") return { kind: "args", args: Object.fromEntries(args), end: at + 1 };
    const key = /^\*{0,2}([A-Za-z_]\w*)\s*=\s*/.exec(text.slice(at, at + 80));
    if (!key && /^[\w*]+\s*$/.test(text.slice(at))) return { kind: "open" };
    const valueAt = at + (key?.[0].length ?? /^\**/.exec(text.slice(at))![0].length);
    const parsed = parseLenient(text, valueAt);
    if (!parsed) return { kind: "no" };
    if (!parsed.whole) return { kind: "open" };
    if (key) args.push([key[1]!, parsed.value]);
    else if (isRecord(parsed.value)) args.push(...Object.entries(parsed.value));
    // A single positional argument is what is looked for: every tool of ours that takes one names it so.
    else if (args.length === 0) args.push(["query", parsed.value]);
    else return { kind: "no" };
    at = parsed.end;
    const next = /^\s*/.exec(text.slice(at))![0].length + at;
    if (next < text.length && text[next] !== "," && text[next] !== ")") return { kind: "no" };
  }
}

/** ReAct's two lines: `Action: recall_memory` and `Action Input: {…}`. */
export function reactForm(place: Place): Verdict {
  const { text, at, names, final } = place;
  const line = "Action: ";
  if (!text.startsWith(line, at)) return !final && line.startsWith(text.slice(at)) ? OPEN : no(at + 1);
  const name = /^Action: *([\w.]*)/.exec(text.slice(at, at + 120))!;
  const behind = at + name[0].length;
  if (behind >= text.length && !final) return mayBecomeName("", name[1]!, names) ? OPEN : no(behind);
  const known = knownName(name[1]!, names);
  if (known === null) return no(behind);
  const input = /^\s*Action Input:\s*/.exec(text.slice(behind, behind + 60));
  if (!input) {
    const rest = text.slice(behind).trimStart();
    if (!final && "Action Input:".startsWith(rest.slice(0, 13))) return OPEN;
    return rest === "" || /^\s*\n/.test(text.slice(behind))
      ? { kind: "calls", calls: [{ name: known, args: {} }], end: behind }
      : no(behind);
  }
  const parsed = parseLenient(text, behind + input[0].length);
  if (parsed && !parsed.whole && !final) return OPEN;
  if (parsed && isRecord(parsed.value) && (parsed.whole || endsClosed(text)))
    return { kind: "calls", calls: [{ name: known, args: parsed.value }], end: parsed.end };
  if (!parsed && !final && !text.slice(behind + input[0].length).includes("\n")) return OPEN;
  const words = text
    .slice(behind + input[0].length)
    .split("\n")[0]!
    .trim();
  if (!parsed && words !== "")
    return {
      kind: "calls",
      calls: [{ name: known, args: { query: words } }],
      end: behind + input[0].length + words.length,
    };
  return { kind: "bad", problem: "The action's input cannot be read.", end: text.length };
}

function mayBecomeName(prefix: string, name: string, names: readonly string[]): boolean {
  if (prefix === "" && name === "") return true;
  const starts = [...names, "print", "await", "return", "default_api", "functions", "tools", "api"];
  return starts.some((start) => start.startsWith(name));
}

/** An unfinished value can still be a call: nothing in it says otherwise yet. */
function couldBeCall(value: unknown, names: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length === 0 || couldBeCall(value[0], names);
  if (!isRecord(value)) return false;
  for (const key of ["name", "tool", "tool_name", "function", "function_name", "action"]) {
    const named = value[key];
    if (typeof named !== "string") continue;
    const unfinished = Object.keys(value).at(-1) === key;
    if (knownName(named, names) !== null || looksLikeToolName(named)) return true;
    if (unfinished && (named === "" || /^[a-z][\w.]*$/.test(named))) return true;
    return false;
  }
  return true;
}

function unknownTool(name: string, names: readonly string[], end: number): Verdict {
  const offer = names.length > 0 ? `The tools are: ${names.join(", ")}.` : "No tools can be used now.";
  return { kind: "bad", problem: `There is no tool named ${name}. ${offer}`, end };
}

function namesTool(text: string, names: readonly string[]): boolean {
  return names.some((name) => new RegExp(`["']${name.replace(/[^\w]/g, "\\$&")}["']`).test(text));
}

/** The text does not end inside a string. */
function endsClosed(text: string): boolean {
  return /["'}\]\d)e]\s*$/.test(text);
}

/** Tags that mean a call whatever stands in them. */
function strong(head: string): boolean {
  return /tool_call|function_call|TOOL_CALLS|tool▁call|python_tag/.test(head);
}

function closing(text: string, from: number): number {
  const close = /<\/?\|?[^<>]{1,40}>/.exec(text.slice(from));
  return close ? afterClosing(text, from + close.index) : text.length;
}

/** Skips closing tags, fences and white space after a call. */
function afterClosing(text: string, from: number): number {
  return from + /^(?:\s*(?:<\/[^<>]{1,40}>|<\|[^<>]{1,40}\|>|```))*/.exec(text.slice(from))![0].length;
}

function scalar(text: string): unknown {
  const parsed = /^(?:[[{"]|-?\d|true$|false$|null$)/.test(text) ? parseLenient(text, 0) : null;
  return parsed && parsed.end === text.length ? parsed.value : text;
}
