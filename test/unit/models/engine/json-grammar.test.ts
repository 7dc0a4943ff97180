import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type GrammarLimits, limitsFor, schemaToGrammar } from "../../../../core/models/engine/json-grammar.ts";
import { parseGrammar, writeByGrammar } from "../../../support/gbnf.ts";

const limits: GrammarLimits = { stringChars: 60, items: 6, depth: 2 };

/** Everything the grammar of a schema writes must be JSON that the schema accepts. */
function alwaysValid(schema: z.ZodType, given: GrammarLimits = limits): void {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Record<
    string,
    unknown
  >;
  const grammar = parseGrammar(schemaToGrammar(json, given));
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat({ max: 0xffff })), (numbers) => {
      const text = writeByGrammar(grammar, (n) => numbers.next().value! % n);
      const parsed = schema.safeParse(JSON.parse(text));
      expect(parsed.success, text).toBe(true);
    }),
    { numRuns: 300 },
  );
}

describe("grammar of a JSON schema", () => {
  it.each([
    ["a consolidation", z.object({ long_term_memory: z.string(), short_term_memory: z.string().max(40) })],
    [
      "numbers within bounds",
      z.object({
        unit: z.number().min(0).max(1),
        signed: z.number().min(-1).max(1),
        age: z.int().min(0).max(120),
        big: z.int().min(0),
        any: z.number(),
      }),
    ],
    [
      "choices",
      z.object({
        kind: z.enum(["a", 'b "quoted"', "c\\d"]),
        fixed: z.literal("x"),
        maybe: z.string().nullable(),
        mixed: z.union([z.boolean(), z.null(), z.int().min(1).max(3)]),
      }),
    ],
    [
      "optional fields anywhere",
      z.object({
        a: z.string().optional(),
        b: z.int().min(0).max(9),
        c: z.boolean().optional(),
        d: z.boolean().optional(),
      }),
    ],
    ["only optional fields", z.object({ a: z.boolean().optional(), b: z.boolean().optional() })],
    [
      "lists",
      z.object({
        list: z.array(z.string().max(10)).min(1).max(4),
        pairs: z.array(z.object({ key: z.string(), value: z.number() })),
        tuple: z.tuple([z.boolean(), z.int().min(0).max(5)]),
      }),
    ],
    ["records", z.record(z.string(), z.boolean())],
    ["anything", z.object({ value: z.unknown() })],
    [
      "one of several shapes",
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("text"), text: z.string() }),
        z.object({ type: z.literal("number"), value: z.int().min(0).max(99) }),
      ]),
    ],
    ["a list at the top", z.array(z.enum(["x", "y"])).max(3)],
    ["nothing inside", z.object({})],
  ] as const)("writes only what the schema accepts: %s", (_name, schema) => {
    alwaysValid(schema);
  });

  it("follows references, to itself too", () => {
    const schema = {
      type: "object",
      properties: { name: { $ref: "#/$defs/name" }, child: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      required: ["name", "child"],
      $defs: { name: { enum: ["x"] } },
    };
    const grammar = parseGrammar(schemaToGrammar(schema, limits));
    const choices = [0, 1];
    expect(JSON.parse(writeByGrammar(grammar, (n) => (choices.shift() ?? n - 1) % n))).toHaveProperty("name", "x");
  });

  it("merges parts that all must hold", () => {
    const schema = {
      allOf: [
        { type: "object", properties: { a: { type: "boolean" } }, required: ["a"] },
        { properties: { b: { type: "null" } }, required: ["b"] },
      ],
    };
    expect(JSON.parse(writeByGrammar(parseGrammar(schemaToGrammar(schema, limits)), () => 0))).toEqual({
      a: true,
      b: null,
    });
  });

  it("bounds every string and number, whatever the schema allows", () => {
    const grammar = parseGrammar(
      schemaToGrammar(
        {
          type: "object",
          properties: { text: { type: "string", maxLength: 1e9 }, n: { type: "number" } },
          required: ["text", "n"],
        },
        limits,
      ),
    );
    const longest = writeByGrammar(grammar, (n) => n - 1);
    expect(longest.length).toBeLessThan(200);
    expect(schemaToGrammar({ type: "string", maxLength: 1e9 }, { ...limits, stringChars: 1e9 })).toContain("{0,2000}");
  });

  it("names what it cannot express", () => {
    expect(() => schemaToGrammar({ type: "function" }, limits)).toThrow("function");
    expect(() => schemaToGrammar({ properties: { a: false } }, limits)).toThrow("allows nothing");
    expect(() => schemaToGrammar({ $ref: "#/$defs/gone" }, limits)).toThrow("gone");
  });

  it("gives strings a share of the tokens that there are", () => {
    const two = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
    expect(limitsFor(two, 400).stringChars).toBe(520);
    expect(limitsFor({ type: "string" }, 100_000).stringChars).toBe(2000);
    expect(limitsFor(two, 1).stringChars).toBeGreaterThan(20);
  });
});
