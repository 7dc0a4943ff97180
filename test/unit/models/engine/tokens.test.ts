import fc from "fast-check";
import type { Token } from "node-llama-cpp";
import { describe, expect, it } from "vitest";
import { pieces, TokenText } from "../../../../core/models/engine/tokens.ts";

/** Each token is one byte of UTF-8. */
const spell = (tokens: readonly Token[]): string => new TextDecoder().decode(Uint8Array.from(tokens));

describe("text of tokens", () => {
  it("never gives out half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        const stream = new TokenText(spell);
        let whole = "";
        for (const byte of new TextEncoder().encode(text)) {
          const given = stream.push(byte as Token);
          expect(given).not.toContain("\ufffd");
          whole += given;
        }
        expect(whole + stream.end()).toBe(text);
      }),
    );
  });

  it("gives out a broken character in the end rather than losing it", () => {
    const stream = new TokenText(spell);
    expect(stream.push(0xf0 as Token)).toBe("");
    expect(stream.end()).toBe("\ufffd");
  });
});

describe("pieces of long texts", () => {
  it("join to the whole and stay within the length", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "🎈"), maxLength: 200 }),
        fc.integer({ min: 4, max: 40 }),
        (text, length) => {
          const parts = pieces(text, length);
          expect(parts.join("")).toBe(text);
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(length);
            expect(part.isWellFormed?.() ?? true).toBe(true);
          }
        },
      ),
    );
  });

  it("cut before a blank where there is one", () => {
    expect(pieces("hello wonderful world", 16)).toEqual(["hello wonderful", " world"]);
  });
});
