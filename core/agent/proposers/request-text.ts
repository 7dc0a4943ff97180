/**
 * What a message asks for, apart from what it carries along: pasted text, code and quotations say nothing about where
 * the answer lies, and "don't search the web" is not a wish to search the web.
 */
export interface RequestText {
  /** The request without pasted material and negated clauses, white space folded, at most about 400 characters. */
  readonly text: string;
  /** Something was pasted or quoted along with the request. */
  readonly pasted: boolean;
  /** A clause such as "without searching the web" was taken out. */
  readonly negated: boolean;
}

/** Characters of a request that are looked at from its beginning and from its end when it is long. */
const HEAD = 260;
const TAIL = 140;
/** A quotation or a paragraph from this size on is material rather than a request. */
const LONG_QUOTE = 48;
const LONG_PARAGRAPH = 220;

const FENCED = /(```|~~~)[\s\S]*?(\1|$)/g;
const QUOTED_LINES = /^\s*>.*$/gm;
const QUOTATION = new RegExp(`["“„«][^"“”„«»]{${LONG_QUOTE},}["”“»]`, "g");

/** "Summarise this: …", "here is my email, …:" – what follows the colon is material when it is more than a few words. */
const INTRODUCED =
  /^((?=[^:\n]*\b(?:this|these|following|below|here|text|sentence|paragraph|email|e-mail|message|letter|article|essay|poem|phrase|politely|grammar|spelling|proofread|translate|rewrite|rephrase|paraphrase|summari[sz]e|shorten|correct|fix|improve|simplify|edit)\b)[^:\n]{3,160}):(?!\/\/)\s*(\S[\s\S]{11,})$/i;

const NEGATED =
  /\b(?:(?:please\s+)?(?:do not|don['’]?t|you (?:don['’]?t|do not|needn['’]?t) (?:have to|need to)?|needn['’]?t|no need to|without|instead of|rather than|never|stop)\s+(?:bother(?:ing)?\s+(?:to\s+|with\s+)?)?(?:search|look|check|brows|us|consult|go|open|read|mention|google|googl|access|ask|quot|refer|rely|relying|tak|touch)\w*|forget(?: about)?|ignore|ignoring|leave out|(?:not|nothing)\s+(?:in|from|on|about)|no)\s+(?:(?:at|up|through|for|into|on|online|in|to)\s+)?(?:it|this|that|anything|everything|(?:any of |all of )?(?:my|the|your|our)?\s*(?:[\w-]+\s+){0,2}?(?:web|internet|online|documents?|files?|library|memory|notes|feeds?|news|chats?|conversations?|beliefs?|searching|search|sources?|lookups?))\b[^,.;:!?\n]*?(?=[,.;:!?\n]|\b(?:but|just|only|simply)\b|$)|\bI(?:['’]m| am) not (?:looking|asking|searching) for [^,.;:!?\n]*/gi;

/** Splits a message into request and material. Never empty for a message that has any letter. */
export function requestOf(message: string): RequestText {
  let text = message.replace(FENCED, " ").replace(QUOTED_LINES, " ").replace(QUOTATION, " ");
  const introduced = INTRODUCED.exec(text.trim());
  if (introduced && !/^(?:https?:|www\.)\S+\s*$/.test(introduced[2]!)) text = `${introduced[1]}:`;
  text = withoutLongParagraphs(text);
  let pasted = squash(text).length < squash(message).length - 16;
  const before = text;
  text = text.replace(NEGATED, " ");
  const negated = text !== before;
  text = squash(text).replace(/^[\s,.;:–-]+/, "");
  if (text.length < 2) {
    text = squash(message);
    pasted = false;
  }
  if (text.length > HEAD + TAIL + 20) {
    text = `${cutAfterWord(text, HEAD)} … ${cutBeforeWord(text, TAIL)}`;
    pasted = true;
  }
  return { text, pasted, negated };
}

/** Keeps the paragraphs that can be a request: short ones, and of several long ones the first and the last sentence. */
function withoutLongParagraphs(text: string): string {
  const paragraphs = text.split(/\n\s*\n|\n(?=\s*[-*•\d])/).filter((p) => p.trim() !== "");
  if (paragraphs.length < 2) return text;
  const short = paragraphs.filter((paragraph) => paragraph.trim().length <= LONG_PARAGRAPH);
  const first = paragraphs[0]!;
  // A list or a letter of many short lines: the request stands first or last.
  if (short.length > 3) return `${first}\n${paragraphs.at(-1)}`;
  return short.length > 0 && short.length < paragraphs.length ? short.join("\n") : text;
}

function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cutAfterWord(text: string, length: number): string {
  const end = text.lastIndexOf(" ", length);
  return text.slice(0, end > 0 ? end : length);
}

function cutBeforeWord(text: string, length: number): string {
  const start = text.indexOf(" ", text.length - length);
  return text.slice(start > 0 ? start + 1 : -length);
}
