/** Scans a reply for calls written as text, whole or while it streams. Both readings share one scan, so they agree. */
import type { ToolCall } from "../../models/types.ts";
import type { CallRecognizer, Recognition } from "../proposers/types.ts";
import { jsonForm, type Place, pythonForm, reactForm, tagForm, type Verdict } from "./forms.ts";

/** Where a call can begin: a bracket, a tag, a fence, or the first word of a line. */
const PLACE = /[<{[]|`{3}|`{1,2}$|(?<=^|\n)[ \t]*(?=[A-Za-z_])/g;

interface Scan {
  readonly calls: readonly ToolCall[];
  readonly problem: string | null;
  /** Where the first call, bad call or still open place begins; the text's length when there is none. */
  readonly from: number;
}

/** Recognises calls written as bare or fenced JSON, in XML-like tags, like Python, or as ReAct's lines. */
export function createCallRecognizer(): CallRecognizer {
  return {
    recognize(text: string, names: readonly string[]): Recognition {
      const { calls, problem, from } = scan(text, names, true);
      const before = text.slice(0, from).trim();
      if (calls.length > 0) return { kind: "calls", calls, before };
      return problem === null ? { kind: "text" } : { kind: "malformed", problem, before };
    },
    safePrefix: (textSoFar, names) => scan(textSoFar, names, false).from,
  };
}

function scan(text: string, names: readonly string[], final: boolean): Scan {
  const calls: ToolCall[] = [];
  let problem: string | null = null;
  let from = text.length;
  let at = 0;
  while (at < text.length) {
    PLACE.lastIndex = at;
    const match = PLACE.exec(text);
    if (!match) break;
    const place: Place = { text, at: match.index + (/^[ \t]/.test(match[0]) ? match[0].length : 0), names, final };
    const verdict = judge(place);
    if (verdict.kind === "no") {
      at = Math.max(verdict.next, match.index + Math.max(1, match[0].length));
      continue;
    }
    from = Math.min(from, match.index);
    if (verdict.kind === "open") break;
    if (verdict.kind === "calls") calls.push(...verdict.calls);
    else problem ??= verdict.problem;
    if (!final) break;
    at = Math.max(verdict.end, match.index + 1);
  }
  return { calls, problem, from };
}

function judge(place: Place): Verdict {
  const sign = place.text[place.at]!;
  if (sign === "`") return fence(place);
  if (sign === "<") return tagForm(place);
  if (sign === "{") return jsonForm(place);
  if (sign === "[") return firstOf(place, [tagForm, jsonForm, pythonForm]);
  return firstOf(place, [pythonForm, reactForm]);
}

/** A call wins, then an unfinished reading, then a bad call; otherwise the nearest place to go on. */
function firstOf(place: Place, forms: readonly ((place: Place) => Verdict)[]): Verdict {
  const verdicts = forms.map((form) => form(place));
  for (const kind of ["calls", "open", "bad"] as const) {
    const found = verdicts.find((verdict) => verdict.kind === kind);
    if (found) return found;
  }
  return verdicts.reduce((nearest, verdict) =>
    verdict.kind === "no" && nearest.kind === "no" && verdict.next < nearest.next ? verdict : nearest,
  );
}

/** A fenced block is a call when it holds nothing else; any other block is code, whatever it mentions. */
function fence(place: Place): Verdict {
  const { text, at, names, final } = place;
  if (!text.startsWith("```", at)) return final ? { kind: "no", next: at + 1 } : { kind: "open" };
  const line = /^```[ \t]*([\w+-]*)[ \t]*(\r?\n|$|(?=[{[<]))/.exec(text.slice(at, at + 48));
  if (!line) return { kind: "no", next: endOfFence(text, at + 3) };
  const start = at + line[0].length;
  const close = text.indexOf("```", start);
  const body = text.slice(start, close < 0 ? text.length : close);
  const lead = /^\s*(?:#[^\n]*\n\s*)*/.exec(body)![0].length;
  const inner = body.slice(lead).trimEnd();
  if (close < 0 && !final && inner === "") return { kind: "open" };
  if (inner === "" || !/^[{[<A-Za-z_]/.test(inner)) return { kind: "no", next: endOfFence(text, start) };
  const whole = close >= 0 || final;
  const calls: ToolCall[] = [];
  let here = 0;
  while (here < inner.length) {
    const verdict = judge({ text: inner, at: here, names, final: whole });
    if (verdict.kind === "open") return verdict;
    // An unknown tool in a fence is somebody's example; a broken call of a tool on offer that fills the reply is not.
    if (verdict.kind === "bad" && here === 0 && mentions(inner, names) && text.slice(0, at).trim() === "") {
      return { ...verdict, end: close < 0 ? text.length : close + 3 };
    }
    if (verdict.kind === "no" && !whole && calls.length > 0 && /^<\/?[^<>]{0,40}$/.test(inner.slice(here)))
      return { kind: "open" };
    if (verdict.kind !== "calls") return { kind: "no", next: endOfFence(text, start) };
    calls.push(...verdict.calls);
    here = verdict.end;
    here += /^[\s,;]*/.exec(inner.slice(here))![0].length;
  }
  if (close < 0 && !final) return { kind: "open" };
  return { kind: "calls", calls, end: close < 0 ? text.length : close + 3 };
}

function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => text.includes(name));
}

/** Behind the closing fence, or the end: what an open block holds is code as well. */
function endOfFence(text: string, from: number): number {
  const close = text.indexOf("```", from);
  return close < 0 ? text.length : close + 3;
}
