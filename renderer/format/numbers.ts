/** How figures read everywhere: exact, with units, thousands parted by commas, a true minus. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** `11,240` */
export const count = (value: number): string => whole.format(value);

/** `1 turn`, `13 turns` */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Decimal units, as file managers show them: `98 MB`, `4.7 GB`. */
export function bytes(value: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let amount = value;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 100 ? 0 : amount >= 10 && unit < 3 ? 0 : 1;
  return `${amount.toFixed(digits).replace(/\.0$/, "")} ${units[unit]}`;
}

/** `0.3 s`, `14 s`, `2 min 5 s` */
export function duration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** A belief's valence: `+0.43`, `−0.22`, `0.00`. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : `+${text}`;
}

/** `53 %` of a fraction between 0 and 1. */
export const percent = (fraction: number, digits = 0): string => `${(fraction * 100).toFixed(digits)} %`;

/** `18.4 tokens a second`, `96 tokens a second` */
export const speed = (tokensPerSecond: number): string =>
  `${tokensPerSecond >= 30 ? count(tokensPerSecond) : tokensPerSecond.toFixed(1)} tokens a second`;
