import type { FeedDate } from "./types.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Offsets of named zones in minutes east (RFC 822 and those that feeds use). */
const ZONES: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  met: 60,
  cest: 120,
  mest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ist: 330,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  akst: -540,
  akdt: -480,
  hst: -600,
  ast: -240,
  adt: -180,
  et: -300,
  ct: -360,
  mt: -420,
  pt: -480,
};

/** Reads a feed's date. What cannot be read keeps its words and has no time. */
export function feedDate(raw: string | null | undefined): FeedDate | null {
  const text = raw?.trim();
  if (!text) return null;
  const at = iso(text) ?? rfc822(text) ?? unixTime(text);
  return { at: at !== null && Number.isFinite(at) && Math.abs(at) < 8.64e15 ? at : null, raw: text };
}

/** ISO 8601 and W3C-DTF, also cut short, with the separators missing or with a named zone. */
function iso(text: string): number | null {
  const match =
    /^([+-]?\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:(?:T|\s+|t)(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?(?:[.,](\d+))?\s*(Z|[+-]\d{1,2}(?::?\d{2})?|[A-Za-z]{1,4})?)?$/.exec(
      text,
    );
  if (!match) return null;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] = match;
  // A bare run of four to eight digits is a date only when its parts can be.
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return null;
  const offset = zoneMinutes(zone);
  if (offset === null) return null;
  return (
    time(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), offset) +
    Math.trunc(Number(`0.${fraction}`) * 1000)
  );
}

/** RFC 822 and its relatives: weekday optional or wrong, month names in full, two-digit years, asctime's order. */
function rfc822(text: string): number | null {
  const words = text
    .replace(/\(.*?\)/g, " ")
    .replace(/,/g, " ")
    .replace(/(\d)-([A-Za-z]{3,9})-(\d)/g, "$1 $2 $3")
    .split(/\s+/)
    .filter(Boolean);
  let day: number | null = null;
  let month: number | null = null;
  let year: number | null = null;
  let clock: [number, number, number] | null = null;
  let zone: number | null = null;
  for (const word of words) {
    const lower = word.toLowerCase().replace(/\.$/, "");
    const named = lower.length >= 3 ? MONTHS.indexOf(lower.slice(0, 3)) : -1;
    const hms = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(am|pm|z|[+-]\d{4})?$/.exec(lower);
    if (hms) {
      let hour = Number(hms[1]);
      if (hms[4] === "pm" && hour < 12) hour += 12;
      if (hms[4] === "am" && hour === 12) hour = 0;
      clock = [hour, Number(hms[2]), Number(hms[3] ?? 0)];
      if (hms[4] && /^[z+-]/.test(hms[4])) zone = zoneMinutes(hms[4]);
    } else if ((lower === "pm" || lower === "am") && clock) {
      if (lower === "pm" && clock[0] < 12) clock[0] += 12;
      if (lower === "am" && clock[0] === 12) clock[0] = 0;
    } else if (named >= 0 && month === null && /^[a-z]+$/.test(lower) && isMonth(lower)) month = named;
    else if (/^\d{1,2}(st|nd|rd|th)?$/.test(lower) && day === null) day = Number.parseInt(lower, 10);
    else if (/^\d{4}$/.test(lower) && year === null) year = Number(lower);
    else if (/^\d{2}$/.test(lower) && day !== null && year === null)
      year = Number(lower) + (Number(lower) < 90 ? 2000 : 1900);
    else if (zone === null && clock) zone = zoneMinutes(word);
  }
  if (day === null || month === null || year === null || day < 1 || day > 31) return null;
  const [hour, minute, second] = clock ?? [0, 0, 0];
  return time(year, month, day, hour, minute, second, zone ?? 0);
}

function isMonth(word: string): boolean {
  const full = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
  ];
  return full.some(
    (name) =>
      name.startsWith(word.slice(0, 3)) &&
      (word.length === 3 || name === word || (word === "sept" && name === "september")),
  );
}

function unixTime(text: string): number | null {
  if (!/^\d{9,13}$/.test(text)) return null;
  return text.length > 10 ? Number(text) : Number(text) * 1000;
}

function zoneMinutes(zone: string): number | null {
  const numeric = /^(?:gmt|utc)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone);
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    return numeric[1] === "-" ? -minutes : minutes;
  }
  return ZONES[zone.toLowerCase()] ?? null;
}

function time(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  offset: number,
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, Math.min(second, 60), 0);
  return date.getTime() - offset * 60_000;
}
