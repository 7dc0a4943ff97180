/**
 * Parts a stream of model text into the answer and the reasoning before it, wherever the text is cut into chunks:
 * `<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `<reflection>`, `[THINK]`, `<seed:think>` with their closing tags, and
 * the channels of the Harmony format. Tags inside code (fences or back-ticks) are the answer's own words.
 */
import type { StreamChunk } from "../types.ts";

type Channel = StreamChunk["channel"];

const words = [
  "think",
  "thinking",
  "thought",
  "thoughts",
  "reasoning",
  "reason",
  "reflection",
  "seed:think",
  "seed:cot_budget_reflect",
];
const opening = [...words.map((word) => `<${word}>`), "[think]", "<|begin_of_thought|>"];
const closing = [...words.map((word) => `</${word}>`), "[/think]", "<|end_of_thought|>"];
/** Harmony: `<|channel|>NAME …<|message|>` begins a part, these end it. */
const channelStart = "<|channel|>";
const channelBody = "<|message|>";
const partEnds = ["<|start|>assistant", "<|start|>", "<|end|>", "<|return|>", "<|call|>"];
/** A relative with the bars on one side only: `<|channel>thought` … `<channel|>`. */
const halfOpen = "<|channel>";
const halfClose = "<channel|>";
const markers = [...opening, ...closing, channelStart, ...partEnds, halfOpen, halfClose];
const longestMarker = Math.max(...markers.map((marker) => marker.length));
/** A channel's header longer than this is no header. */
const longestHeader = 200;

/** Whether a control token's text belongs to a marker, so that it must not be dropped from the stream. */
export function isReasoningMarker(text: string): boolean {
  const lower = text.toLowerCase();
  return lower === channelBody || lower === "<|constrain|>" || markers.includes(lower);
}

export class ReasoningSplitter {
  #channel: Channel;
  #held = "";
  #header: { readonly end: string; readonly from: string } | null = null;
  /** Newlines right after a tag belong to the tag; `true` until something else comes. */
  #afterTag = true;
  readonly #code = new CodeTracker();

  constructor(startsIn: Channel = "answer") {
    this.#channel = startsIn;
  }

  get channel(): Channel {
    return this.#channel;
  }

  /** Takes the next text; returns what is decided by now. */
  feed(text: string): StreamChunk[] {
    this.#held += text;
    return this.#run(false);
  }

  /** The stream has ended: what was held back as a possible tag is text after all. */
  end(): StreamChunk[] {
    return this.#run(true);
  }

  #run(final: boolean): StreamChunk[] {
    const out: StreamChunk[] = [];
    for (;;) {
      if (this.#header) {
        if (!this.#readHeader(final, out)) break;
        continue;
      }
      const at = this.#nextCandidate();
      if (at < 0) {
        this.#emit(this.#held, out);
        this.#held = "";
        break;
      }
      this.#emit(this.#held.slice(0, at), out);
      this.#held = this.#held.slice(at);
      const lower = this.#held.slice(0, longestMarker).toLowerCase();
      const marker = longest(markers.filter((candidate) => lower.startsWith(candidate) && this.#counts(candidate)));
      // A longer marker may begin like a shorter one.
      if (!final && this.#mayBecomeMarker(lower, marker)) break;
      if (marker) {
        this.#held = this.#held.slice(marker.length);
        this.#apply(marker);
      } else {
        this.#emit(this.#held.slice(0, 1), out);
        this.#held = this.#held.slice(1);
      }
    }
    return merge(out);
  }

  #nextCandidate(): number {
    for (let i = 0; i < this.#held.length; i++) if (this.#held[i] === "<" || this.#held[i] === "[") return i;
    return -1;
  }

  /** A marker that means nothing in the present channel, or that stands in code, is text. */
  #counts(marker: string): boolean {
    if (this.#channel === "reasoning") return !opening.includes(marker);
    return !this.#code.inside && marker !== halfClose;
  }

  #mayBecomeMarker(lower: string, found: string | null): boolean {
    return markers.some(
      (marker) =>
        marker.length > lower.length &&
        marker.length > (found?.length ?? 0) &&
        marker.startsWith(lower) &&
        this.#counts(marker),
    );
  }

  #apply(marker: string): void {
    this.#afterTag = true;
    if (opening.includes(marker)) this.#switch("reasoning");
    else if (marker === channelStart) this.#header = { end: channelBody, from: channelStart };
    else if (marker === halfOpen) this.#header = { end: "\n", from: halfOpen };
    else this.#switch("answer");
  }

  #switch(channel: Channel): void {
    this.#channel = channel;
    this.#code.reset();
  }

  /** Reads a channel's name; false when more text is needed. */
  #readHeader(final: boolean, out: StreamChunk[]): boolean {
    const header = this.#header!;
    const end = this.#held.indexOf(header.end);
    if (end >= 0 && end <= longestHeader) {
      const name = this.#held.slice(0, end).trim().toLowerCase();
      this.#held = this.#held.slice(end + header.end.length);
      this.#header = null;
      this.#switch(/^(analysis|thought|thinking|think|reasoning)/.test(name) ? "reasoning" : "answer");
      return true;
    }
    if (!final && this.#held.length <= longestHeader + header.end.length) return false;
    this.#header = null;
    this.#afterTag = false;
    this.#emit(header.from, out);
    return true;
  }

  #emit(text: string, out: StreamChunk[]): void {
    let shown = text;
    if (this.#afterTag) {
      shown = shown.replace(/^[\r\n]+/, "");
      if (shown === "") return;
      this.#afterTag = false;
    }
    if (shown === "") return;
    if (this.#channel === "answer") this.#code.feed(shown);
    out.push({ channel: this.#channel, text: shown });
  }
}

/** Follows Markdown code: fences that begin a line, and back-ticks within one line. */
class CodeTracker {
  #fenced = false;
  #ticked = false;
  #run = 0;
  #lineBlank = true;
  #runBeganLine = false;

  get inside(): boolean {
    // A run of one or two back-ticks that has just ended (or still runs) opens or closes a span once the next letter is seen.
    const spanned = this.#run > 0 && this.#run < 3 ? !this.#ticked : this.#ticked;
    const fenced = this.#run >= 3 && this.#runBeganLine ? !this.#fenced : this.#fenced;
    return fenced || spanned;
  }

  feed(text: string): void {
    for (const letter of text) {
      if (letter === "`") {
        if (this.#run === 0) this.#runBeganLine = this.#lineBlank;
        this.#run++;
        continue;
      }
      this.#settle();
      if (letter === "\n") {
        this.#ticked = false;
        this.#lineBlank = true;
      } else if (letter.trim() !== "") this.#lineBlank = false;
    }
  }

  reset(): void {
    this.#fenced = false;
    this.#ticked = false;
    this.#run = 0;
    this.#lineBlank = true;
  }

  #settle(): void {
    if (this.#run === 0) return;
    if (this.#run >= 3 && this.#runBeganLine) this.#fenced = !this.#fenced;
    else if (!this.#fenced) this.#ticked = !this.#ticked;
    this.#lineBlank = false;
    this.#run = 0;
  }
}

function longest(texts: readonly string[]): string | null {
  return texts.reduce<string | null>((best, text) => (best === null || text.length > best.length ? text : best), null);
}

function merge(chunks: readonly StreamChunk[]): StreamChunk[] {
  const out: { channel: Channel; text: string }[] = [];
  for (const chunk of chunks) {
    const last = out.at(-1);
    if (last?.channel === chunk.channel) last.text += chunk.text;
    else out.push({ ...chunk });
  }
  return out;
}
