/** Times as people say them, in the system's time zone; `now` is passed in so that tests need no clock. */

const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const month = new Intl.DateTimeFormat("en-GB", { month: "long" });
const monthYear = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });

/** Whole local days between two times: 0 on the same date, 1 for yesterday. */
export function daysBetween(then: number, now: number): number {
  const day = (ms: number) => {
    const date = new Date(ms);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  };
  return day(now) - day(then);
}

/** `11:20` today, `Tue` within a week, `3 Nov`, `3 Nov 2024`. */
export function shortTime(then: number, now: number): string {
  const days = daysBetween(then, now);
  if (days <= 0) return hour.format(then);
  if (days < 7) return weekday.format(then);
  return new Date(then).getFullYear() === new Date(now).getFullYear()
    ? dayMonth.format(then)
    : dayMonthYear.format(then);
}

/** `Today 13:42`, `Yesterday 09:10`, `3 Nov 2024, 09:10` */
export function fullTime(then: number, now: number): string {
  const days = daysBetween(then, now);
  if (days <= 0) return `Today ${hour.format(then)}`;
  if (days === 1) return `Yesterday ${hour.format(then)}`;
  return `${dayMonthYear.format(then)}, ${hour.format(then)}`;
}

/** Heading of the group that a time belongs to in a list, newest first: Today, Yesterday, This week, Last week, months. */
export function dayGroup(then: number, now: number): string {
  const days = daysBetween(then, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  const sinceMonday = (new Date(now).getDay() + 6) % 7;
  if (days <= sinceMonday) return "This week";
  if (days <= sinceMonday + 7) return "Last week";
  return new Date(then).getFullYear() === new Date(now).getFullYear() ? month.format(then) : monthYear.format(then);
}

const longDay = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const longDayYear = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** `Today`, `Yesterday`, `Thursday 27 November`, with the year when it is another: the day of a row in a record. */
export function dayHeading(then: number, now: number): string {
  const days = daysBetween(then, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return new Date(then).getFullYear() === new Date(now).getFullYear() ? longDay.format(then) : longDayYear.format(then);
}

/** `09:31` */
export const hourMinute = (then: number): string => hour.format(then);
