/**
 * Turns a JSON schema into a grammar (GBNF) that the decoder cannot leave. Stricter than the schema where a small model would
 * run away: strings, numbers and arrays are always bounded, blanks are fixed, keys keep their order, numbers have no exponent.
 * Patterns and formats are left to the validation that follows.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface GrammarLimits {
  /** Longest string in characters where the schema allows more or says nothing. */
  readonly stringChars: number;
  /** Most items of an array where the schema allows more or says nothing. */
  readonly items: number;
  /** How deep values of no stated type may nest. */
  readonly depth: number;
}

/** llama.cpp takes no repetition beyond 2,000. */
const longestRepetition = 2000;
const enumeratedRange = 256;

/** Limits under which an answer of `maxTokens` most likely comes to its end: a token is about 3 characters of English. */
export function limitsFor(schema: JsonSchema, maxTokens: number): GrammarLimits {
  const strings = Math.max(1, countStrings(schema, schema, 0));
  const share = Math.floor((maxTokens * 2.6) / strings);
  return {
    stringChars: Math.min(longestRepetition, Math.max(48, share)),
    items: Math.max(1, Math.min(64, Math.floor(maxTokens / 12))),
    depth: 3,
  };
}

function countStrings(schema: unknown, root: JsonSchema, depth: number): number {
  if (!isSchema(schema) || depth > 6) return 1;
  if (typeof schema["$ref"] === "string") return countStrings(resolve(schema["$ref"], root), root, depth + 1);
  if (schema["enum"] || "const" in schema) return 0;
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as unknown[] | undefined;
  if (Array.isArray(choices)) return Math.max(0, ...choices.map((choice) => countStrings(choice, root, depth + 1)));
  const type = schema["type"];
  if (type === "object")
    return Object.values(record(schema["properties"])).reduce<number>(
      (sum, value) => sum + countStrings(value, root, depth + 1),
      0,
    );
  if (type === "array") {
    const most = Math.min(3, typeof schema["maxItems"] === "number" ? schema["maxItems"] : 3);
    return most * countStrings(schema["items"] ?? {}, root, depth + 1);
  }
  return type === "number" || type === "integer" || type === "boolean" || type === "null" ? 0 : 1;
}

/** The grammar of one schema; throws an `Error` naming the part it cannot express. */
export function schemaToGrammar(schema: JsonSchema, limits: GrammarLimits): string {
  return new Writer(schema, limits).write();
}

class Writer {
  readonly #root: JsonSchema;
  readonly #limits: GrammarLimits;
  readonly #rules = new Map<string, string>();
  readonly #references = new Map<string, string>();
  #next = 0;

  constructor(root: JsonSchema, limits: GrammarLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  write(): string {
    const top = this.#value(this.#root);
    this.#rules.set("root", top);
    return [...this.#rules].map(([name, body]) => `${name} ::= ${body}`).join("\n");
  }

  #rule(body: string): string {
    const name = `r${this.#next++}`;
    this.#rules.set(name, body);
    return name;
  }

  #shared(name: string, body: string): string {
    if (!this.#rules.has(name)) this.#rules.set(name, body);
    return name;
  }

  #value(schema: unknown): string {
    if (schema === true || schema === undefined) return this.#anything(this.#limits.depth);
    if (!isSchema(schema)) throw new Error("a part of the schema allows nothing");
    const reference = schema["$ref"];
    if (typeof reference === "string") return this.#reference(reference);
    if ("const" in schema) return literal(JSON.stringify(schema["const"]));
    const values = schema["enum"];
    if (Array.isArray(values)) return alternatives(values.map((value) => literal(JSON.stringify(value))));
    const choices = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(choices)) return alternatives(choices.map((choice) => this.#value(choice)));
    const all = schema["allOf"];
    if (Array.isArray(all)) return this.#value(this.#merged(schema, all));
    const type = schema["type"];
    if (Array.isArray(type)) return alternatives(type.map((one) => this.#typed(one, schema)));
    return this.#typed(type ?? (schema["properties"] ? "object" : schema["items"] ? "array" : undefined), schema);
  }

  #typed(type: unknown, schema: JsonSchema): string {
    switch (type) {
      case "string":
        return this.#string(schema);
      case "integer":
        return this.#integer(schema);
      case "number":
        return this.#number(schema);
      case "boolean":
        return alternatives(['"true"', '"false"']);
      case "null":
        return '"null"';
      case "array":
        return this.#array(schema);
      case "object":
        return this.#object(schema);
      case undefined:
        return this.#anything(this.#limits.depth);
      default:
        throw new Error(`the type ${String(type)} is not known`);
    }
  }

  /** A rule per reference, named before its body is written, so that schemas may refer to themselves. */
  #reference(reference: string): string {
    const known = this.#references.get(reference);
    if (known) return known;
    const name = `ref${this.#references.size}`;
    this.#references.set(reference, name);
    this.#rules.set(name, '""');
    this.#rules.set(name, this.#value(resolve(reference, this.#root)));
    return name;
  }

  #merged(schema: JsonSchema, parts: readonly unknown[]): JsonSchema {
    let properties: Record<string, unknown> = { ...record(schema["properties"]) };
    const required = new Set(strings(schema["required"]));
    let rest: Record<string, unknown> = { ...schema };
    delete rest["allOf"];
    for (const part of parts) {
      let plain = isSchema(part) ? part : {};
      if (typeof plain["$ref"] === "string") plain = resolve(plain["$ref"], this.#root);
      rest = { ...plain, ...rest };
      properties = { ...properties, ...record(plain["properties"]) };
      for (const name of strings(plain["required"])) required.add(name);
    }
    if (Object.keys(properties).length > 0) rest = { ...rest, properties, required: [...required] };
    return rest;
  }

  #string(schema: JsonSchema): string {
    const char = this.#shared("char", String.raw`[^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`);
    const least = bounded(schema["minLength"], 0);
    const most = Math.max(
      least,
      Math.min(bounded(schema["maxLength"], this.#limits.stringChars), this.#limits.stringChars, longestRepetition),
    );
    return this.#rule(`"\\"" ${char}{${least},${most}} "\\""`);
  }

  #integer(schema: JsonSchema): string {
    const { low, high } = range(schema, true);
    if (low !== null && high !== null && high - low <= enumeratedRange) {
      if (high < low) throw new Error("a number's bounds leave nothing");
      return alternatives(Array.from({ length: high - low + 1 }, (_, i) => literal(String(low + i))));
    }
    return this.#rule(`${sign(low, high)} ("0" | [1-9] [0-9]{0,${digits(low, high) - 1}})`);
  }

  #number(schema: JsonSchema): string {
    const { low, high } = range(schema, false);
    const fraction = this.#shared("fraction", '"." [0-9]{1,6}');
    if (low === 0 && high === 1) return this.#shared("unit", '"0" ("." [0-9]{1,4})? | "1" (".0")?');
    if (low === -1 && high === 1) return this.#shared("signed-unit", '"-"? ("0" ("." [0-9]{1,4})? | "1" (".0")?)');
    return this.#rule(`${sign(low, high)} ("0" | [1-9] [0-9]{0,${digits(low, high) - 1}}) ${fraction}?`);
  }

  #array(schema: JsonSchema): string {
    const fixed = schema["prefixItems"];
    if (Array.isArray(fixed)) return this.#rule(`"[" ${fixed.map((item) => this.#value(item)).join(' ", " ')} "]"`);
    const item = this.#rule(this.#value(schema["items"]));
    const least = bounded(schema["minItems"], 0);
    const most = Math.max(least, Math.min(bounded(schema["maxItems"], this.#limits.items), this.#limits.items));
    if (most === 0) return '"[]"';
    const list = `${item} (", " ${item}){${Math.max(0, least - 1)},${most - 1}}`;
    return this.#rule(least === 0 ? `"[" (${list})? "]"` : `"[" ${list} "]"`);
  }

  #object(schema: JsonSchema): string {
    const properties = Object.entries(record(schema["properties"]));
    const extra = schema["additionalProperties"];
    if (properties.length === 0) {
      if (extra === false) return '"{}"';
      // A record: free keys, values of one kind.
      const names = schema["propertyNames"];
      const key = isSchema(names) ? this.#value(names) : this.#string({ minLength: 1, maxLength: 64 });
      const member = this.#rule(`${key} ": " ${this.#value(extra === undefined ? true : extra)}`);
      return this.#rule(`"{" (${member} (", " ${member}){0,${this.#limits.items - 1}})? "}"`);
    }
    const required = new Set(strings(schema["required"]));
    // From the last property to the first: what may follow when something came before, and when nothing did.
    let after = '""';
    let first = '""';
    for (const [name, value] of [...properties].reverse()) {
      const member = this.#rule(`${literal(`${JSON.stringify(name)}: `)} ${this.#value(value)}`);
      const here = `${member} ${after}`;
      const withComma = `", " ${here}`;
      const optional = !required.has(name);
      const nextAfter = this.#rule(optional ? `${withComma} | ${after}` : withComma);
      const nextFirst = this.#rule(optional ? `${here} | ${first}` : here);
      after = nextAfter;
      first = nextFirst;
    }
    return this.#rule(`"{" ${first} "}"`);
  }

  #anything(depth: number): string {
    const name = `any${depth}`;
    if (this.#rules.has(name)) return name;
    this.#rules.set(name, '""');
    const plain = [this.#string({}), this.#number({}), '"true"', '"false"', '"null"'];
    if (depth > 0) {
      const inner = this.#anything(depth - 1);
      const key = this.#string({ minLength: 1, maxLength: 64 });
      const most = Math.min(16, this.#limits.items) - 1;
      plain.push(
        `"[" (${inner} (", " ${inner}){0,${most}})? "]"`,
        `"{" (${key} ": " ${inner} (", " ${key} ": " ${inner}){0,${most}})? "}"`,
      );
    }
    this.#rules.set(name, plain.join(" | "));
    return name;
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isSchema(value) ? value : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function bounded(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : fallback;
}

function resolve(reference: string, root: JsonSchema): JsonSchema {
  let at: unknown = root;
  for (const step of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    at = isSchema(at) ? at[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  if (!isSchema(at)) throw new Error(`the schema refers to ${reference}, which it does not hold`);
  return at;
}

/** A text as a GBNF literal. */
function literal(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
}

function alternatives(bodies: readonly string[]): string {
  if (bodies.length === 0) throw new Error("a choice has no options");
  return bodies.length === 1 ? bodies[0]! : `(${bodies.join(" | ")})`;
}

function range(schema: JsonSchema, integer: boolean): { low: number | null; high: number | null } {
  const number = (key: string): number | null => {
    const value = schema[key];
    // zod writes an integer's safe range as bounds; they bound nothing.
    return typeof value === "number" && Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER
      ? value
      : null;
  };
  const low = number("minimum") ?? (integer ? plus(number("exclusiveMinimum"), 1) : number("exclusiveMinimum"));
  const high = number("maximum") ?? (integer ? plus(number("exclusiveMaximum"), -1) : number("exclusiveMaximum"));
  return integer
    ? { low: low === null ? null : Math.ceil(low), high: high === null ? null : Math.floor(high) }
    : { low, high };
}

function plus(value: number | null, step: number): number | null {
  return value === null ? null : value + step;
}

function sign(low: number | null, high: number | null): string {
  if (low !== null && low >= 0) return "";
  return high !== null && high < 0 ? '"-"' : '"-"?';
}

/** Digits before the point: as many as the bounds need, 12 where they say nothing. */
function digits(low: number | null, high: number | null): number {
  if (high === null || (low === null && high >= 0)) return 12;
  const largest = Math.max(Math.abs(low ?? 0), Math.abs(high));
  return Math.min(15, Math.max(1, String(Math.floor(largest)).length));
}
