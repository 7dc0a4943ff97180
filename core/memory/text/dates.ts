/** A stretch of time that a text speaks of, in milliseconds: `from` inclusive, `to` exclusive. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  /** True where the text names a month or day without a year: the year is then the nearest to when it was said. */
  readonly anyYear: boolean;
}

const day = 86_400_000;
const months = "january february march april may june july august september october november december".split(" ");
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const numbers = new Map(
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, i) => [word, i + 1] as const),
);
numbers.set("a", 1).set("an", 1).set("couple", 2).set("few", 3).set("several", 4);

const monthPattern = `(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const dayNumber = "(\\d{1,2})(?:st|nd|rd|th)?";
const year = "((?:19|20)\\d{2})";
const weekdayPattern = `(${weekdays.join("|")})`;

function startOfDay(at: number): number {
  return Math.floor(at / day) * day;
}

function monthIndex(name: string): number {
  return months.findIndex((month) => month.startsWith(name.slice(0, 3)));
}

function monthSpan(y: number, month: number): [number, number] {
  return [Date.UTC(y, month, 1), Date.UTC(y, month + 1, 1)];
}

/** The year that puts a month nearest to `at`. */
function nearestYear(at: number, month: number, dayOfMonth = 15): number {
  const base = new Date(at).getUTCFullYear();
  let best = base;
  for (const candidate of [base - 1, base, base + 1]) {
    const distance = (y: number) => Math.abs(Date.UTC(y, month, dayOfMonth) - at);
    if (distance(candidate) < distance(best)) best = candidate;
  }
  return best;
}

/** Northern seasons, by the month they start in. */
const seasons = new Map([
  ["spring", 2],
  ["summer", 5],
  ["autumn", 8],
  ["fall", 8],
  ["winter", 11],
]);
const holidays = new Map<string, readonly [number, number]>([
  ["christmas", [11, 25]],
  ["christmas eve", [11, 24]],
  ["new year", [0, 1]],
  ["new year's eve", [11, 31]],
  ["new years eve", [11, 31]],
  ["halloween", [9, 31]],
  ["valentine", [1, 14]],
  ["hogmanay", [11, 31]],
]);

type Rule = readonly [RegExp, (match: RegExpExecArray, at: number) => readonly [number, number, boolean?] | null];

function count(word: string): number {
  return numbers.get(word) ?? Number(word);
}

function span(at: number, unit: string, amount: number): [number, number] {
  const today = startOfDay(at);
  if (unit === "day") return [today + amount * day, today + (amount + 1) * day];
  if (unit === "week" || unit === "weekend")
    return [today + amount * 7 * day - 3 * day, today + amount * 7 * day + 4 * day];
  const now = new Date(at);
  if (unit === "month") return monthSpan(now.getUTCFullYear(), now.getUTCMonth() + amount);
  return [Date.UTC(now.getUTCFullYear() + amount, 0, 1), Date.UTC(now.getUTCFullYear() + amount + 1, 0, 1)];
}

function onDay(y: number, month: number, dayOfMonth: number): [number, number] | null {
  if (month < 0 || dayOfMonth < 1 || dayOfMonth > 31) return null;
  const start = Date.UTC(y, month, dayOfMonth);
  return [start, start + day];
}

function season(name: string, y: number): [number, number] {
  const month = seasons.get(name)!;
  return [Date.UTC(y, month, 1), Date.UTC(y, month + 3, 1)];
}

const rules: readonly Rule[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, (m) => onDay(Number(m[1]), Number(m[2]) - 1, Number(m[3]))],
  [
    new RegExp(`\\b${dayNumber}(?: of)? ${monthPattern},? ${year}\\b`, "g"),
    (m) => onDay(Number(m[3]), monthIndex(m[2]!), Number(m[1])),
  ],
  [
    new RegExp(`\\b${monthPattern} ${dayNumber},? ${year}\\b`, "g"),
    (m) => onDay(Number(m[3]), monthIndex(m[1]!), Number(m[2])),
  ],
  [new RegExp(`\\b${monthPattern},?(?: of)? ${year}\\b`, "g"), (m) => monthSpan(Number(m[2]), monthIndex(m[1]!))],
  [new RegExp(`\\b(spring|summer|autumn|fall|winter),?(?: of)? ${year}\\b`, "g"), (m) => season(m[1]!, Number(m[2]))],
  [
    new RegExp(`\\b${dayNumber}(?: of)? ${monthPattern}\\b`, "g"),
    (m, at) => {
      const found = onDay(nearestYear(at, monthIndex(m[2]!), Number(m[1])), monthIndex(m[2]!), Number(m[1]));
      return found && [...found, true];
    },
  ],
  [
    new RegExp(`\\b${monthPattern} ${dayNumber}\\b`, "g"),
    (m, at) => {
      const found = onDay(nearestYear(at, monthIndex(m[1]!), Number(m[2])), monthIndex(m[1]!), Number(m[2]));
      return found && [...found, true];
    },
  ],
  // "may" and "march" alone are mostly verbs: a month only after a word that announces one.
  [
    new RegExp(
      `\\b(?:in|since|until|till|by|last|this|next|early|late|mid|during|of|from|for|before|after)[ -]${monthPattern}\\b`,
      "g",
    ),
    (m, at) => [...monthSpan(nearestYear(at, monthIndex(m[1]!)), monthIndex(m[1]!)), true],
  ],
  [new RegExp(`\\b${year}\\b`, "g"), (m) => [Date.UTC(Number(m[1]), 0, 1), Date.UTC(Number(m[1]) + 1, 0, 1)]],
  [
    /\b(the day before yesterday|yesterday|last night|today|tonight|this morning|this afternoon|this evening|tomorrow|the day after tomorrow)\b/g,
    (m, at) =>
      span(
        at,
        "day",
        m[1]!.includes("before")
          ? -2
          : /yesterday|last/.test(m[1]!)
            ? -1
            : m[1]!.includes("after tomorrow")
              ? 2
              : m[1] === "tomorrow"
                ? 1
                : 0,
      ),
  ],
  [
    /\b(last|past|previous|this|next|coming) (week|weekend|month|year)\b/g,
    (m, at) => span(at, m[2]!, m[1] === "this" ? 0 : m[1] === "next" || m[1] === "coming" ? 1 : -1),
  ],
  [
    /\b(last|past|this|next|the|in) (spring|summer|autumn|fall|winter)\b/g,
    (m, at) => {
      const base = new Date(at).getUTCFullYear();
      const options = [base - 1, base, base + 1].map((y) => season(m[2]!, y));
      const middle = (s: readonly [number, number]) => (s[0] + s[1]) / 2;
      const fitting = options.filter((s) =>
        m[1] === "next" ? s[0] > at : m[1] === "last" || m[1] === "past" ? middle(s) <= at : true,
      );
      return fitting.sort((a, b) => Math.abs(middle(a) - at) - Math.abs(middle(b) - at))[0] ?? null;
    },
  ],
  [
    new RegExp(`\\b(?:(last|this|next|on|since|until|till|by|every) )${weekdayPattern}\\b`, "g"),
    (m, at) => {
      if (m[1] === "every") return null;
      const today = startOfDay(at);
      const back = (new Date(at).getUTCDay() - weekdays.indexOf(m[2]!) + 7) % 7;
      const start =
        m[1] === "next" || m[1] === "until" || m[1] === "till" || m[1] === "by"
          ? today + ((7 - back) % 7 || 7) * day
          : today - (back || (m[1] === "last" ? 7 : 0)) * day;
      return [start, start + day];
    },
  ],
  [
    /\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|several|couple)(?: of)? (day|week|month|year)s? (?:ago|back|earlier|before)\b/g,
    (m, at) => span(at, m[2]!, -count(m[1]!)),
  ],
  [
    /\bin (?:the next |about |around )?(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|few)(?: of)? (day|week|month|year)s?\b/g,
    (m, at) => span(at, m[2]!, count(m[1]!)),
  ],
  [
    /\b(christmas eve|christmas|new years? eve|new year's eve|new year|halloween|valentine|hogmanay)\b/g,
    (m, at) => {
      const date = holidays.get(m[1]!);
      if (!date) return null;
      const found = onDay(nearestYear(at, date[0], date[1]), date[0], date[1]);
      return found && [...found, true];
    },
  ],
];

/** The times that a text speaks of, as it was said at `at`. The most exact reading of each place wins. */
export function moments(text: string, at: number): Moment[] {
  const lower = text.slice(0, 4000).toLowerCase();
  const taken: [number, number][] = [];
  const found: Moment[] = [];
  for (const [pattern, read] of rules) {
    for (const match of lower.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (taken.some(([a, b]) => start < b && end > a)) continue;
      const span = read(match as RegExpExecArray, at);
      if (!span) continue;
      taken.push([start, end]);
      found.push({ from: span[0], to: span[1], anyYear: span[2] ?? false });
    }
  }
  return found;
}

/**
 * How well a time asked for fits a text that was said at `at` and speaks of `spoken`: 1 for the same days named, less for
 * a wider overlap or for merely being said then, 0 for no overlap.
 */
export function momentFit(asked: readonly Moment[], at: number, spoken: readonly Moment[]): number {
  let best = 0;
  for (const wanted of asked) {
    for (const candidate of spoken) if (overlaps(wanted, candidate.from, candidate.to)) best = Math.max(best, 1);
    if (overlaps(wanted, at, at + 1)) best = Math.max(best, 0.7);
    // What happened at a time is mostly told within the next days.
    else if (overlaps({ ...wanted, to: wanted.to + 14 * day }, at, at + 1)) best = Math.max(best, 0.4);
  }
  return best;
}

function overlaps(wanted: Moment, from: number, to: number): boolean {
  if (from < wanted.to && to > wanted.from) return true;
  if (!wanted.anyYear) return false;
  // The same days of another year.
  const shift = new Date(from).getUTCFullYear() - new Date(wanted.from).getUTCFullYear();
  if (shift === 0) return false;
  const moved = (time: number) => {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear() + shift, date.getUTCMonth(), date.getUTCDate());
  };
  return from < moved(wanted.to) && to > moved(wanted.from);
}
