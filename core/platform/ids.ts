import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id that sorts by creation time: `prefix_` + 9 characters of time (base 32) + 10 of chance.
 * Sorting is to the millisecond; ties fall in random order.
 */
export function newId(prefix: string, now: number): string {
  let time = "";
  let rest = Math.max(0, Math.floor(now));
  for (let i = 0; i < 9; i++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let chance = "";
  for (const byte of randomBytes(10)) chance += alphabet[byte % 32];
  return `${prefix}_${time}${chance}`;
}

/** A content-addressed id: the same parts give the same id on every machine and run. 26 base-32 characters of SHA-256. */
export function contentId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  let id = "";
  for (const byte of hash.digest().subarray(0, 26)) id += alphabet[byte % 32];
  return `${prefix}_${id}`;
}
