/**
 * Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), step for step as SQLite's FTS5 does it,
 * so that stems computed here are the terms of the index.
 */
const vowel = /[aeiouy]/;

function isConsonant(word: string, i: number): boolean {
  const letter = word[i]!;
  if (/[aeiou]/.test(letter)) return false;
  if (letter === "y") return i === 0 ? true : !isConsonant(word, i - 1);
  return true;
}

/** The number of vowel-consonant sequences. */
function measure(stem: string): number {
  let m = 0;
  let previousVowel = false;
  for (let i = 0; i < stem.length; i++) {
    const consonant = isConsonant(stem, i);
    if (consonant && previousVowel) m++;
    previousVowel = !consonant;
  }
  return m;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const n = word.length;
  return n > 1 && word[n - 1] === word[n - 2] && isConsonant(word, n - 1);
}

function endsCvc(word: string): boolean {
  const n = word.length;
  if (n < 3) return false;
  return (
    isConsonant(word, n - 3) && !isConsonant(word, n - 2) && isConsonant(word, n - 1) && !/[wxy]/.test(word[n - 1]!)
  );
}

const step2 = new Map([
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
]);
const step3 = new Map([
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
]);
const step4 = [
  "ement",
  "ance",
  "ence",
  "able",
  "ible",
  "ment",
  "ant",
  "ent",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "ion",
  "al",
  "er",
  "ic",
  "ou",
];

function replaceLongest(word: string, table: ReadonlyMap<string, string>, minimum: number): string {
  for (let length = Math.min(7, word.length - 1); length >= 2; length--) {
    const replacement = table.get(word.slice(-length));
    if (replacement === undefined) continue;
    const stem = word.slice(0, -length);
    return measure(stem) > minimum ? stem + replacement : word;
  }
  return word;
}

const cache = new Map<string, string>();

/** The stem of one lower-case word; words with letters outside a..z are returned as they are. */
export function stem(input: string): string {
  if (input.length < 3 || input.length > 40 || !/^[a-z]+$/.test(input)) return input;
  const known = cache.get(input);
  if (known !== undefined) return known;
  const result = compute(input);
  if (cache.size > 50_000) cache.clear();
  cache.set(input, result);
  return result;
}

function compute(input: string): string {
  let word = input;
  if (word.endsWith("sses") || word.endsWith("ies")) word = word.slice(0, -2);
  else if (word.endsWith("s") && !word.endsWith("ss")) word = word.slice(0, -1);

  if (word.endsWith("eed")) {
    if (measure(word.slice(0, -3)) > 0) word = word.slice(0, -1);
  } else {
    const base = word.endsWith("ed") ? word.slice(0, -2) : word.endsWith("ing") ? word.slice(0, -3) : null;
    if (base !== null && vowel.test(base) && hasVowel(base)) {
      word = base;
      if (/(at|bl|iz)$/.test(word)) word += "e";
      else if (endsDouble(word) && !/[lsz]$/.test(word)) word = word.slice(0, -1);
      else if (measure(word) === 1 && endsCvc(word)) word += "e";
    }
  }
  if (word.endsWith("y") && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaceLongest(word, step2, 0);
  word = replaceLongest(word, step3, 0);
  for (const suffix of step4) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    if (measure(base) > 1 && (suffix !== "ion" || /[st]$/.test(base))) word = base;
    break;
  }
  if (word.endsWith("e")) {
    const base = word.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !endsCvc(base))) word = base;
  }
  if (word.endsWith("ll") && measure(word) > 1) word = word.slice(0, -1);
  return word;
}
