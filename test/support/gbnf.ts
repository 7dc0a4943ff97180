/**
 * A small reading of the grammar format (GBNF) that llama.cpp takes: enough to walk a grammar at random and see what it can
 * write, without a model. Sequences, alternatives, groups, literals, character classes, `?`, `*`, `+` and `{m,n}`.
 */
type Node =
  | { kind: "literal"; text: string }
  | { kind: "class"; ranges: [number, number][]; negated: boolean }
  | { kind: "rule"; name: string }
  | { kind: "sequence"; items: Node[] }
  | { kind: "choice"; items: Node[] }
  | { kind: "repeat"; item: Node; least: number; most: number };

export type Grammar = ReadonlyMap<string, Node>;

export function parseGrammar(text: string): Grammar {
  const rules = new Map<string, Node>();
  for (const line of text.split("\n")) {
    const split = line.indexOf("::=");
    if (split < 0) throw new Error(`not a rule: ${line}`);
    const parser = new Parser(line.slice(split + 3));
    rules.set(line.slice(0, split).trim(), parser.whole());
  }
  for (const node of rules.values()) assertKnown(node, rules);
  return rules;
}

function assertKnown(node: Node, rules: ReadonlyMap<string, Node>): void {
  if (node.kind === "rule" && !rules.has(node.name)) throw new Error(`no rule ${node.name}`);
  if (node.kind === "sequence" || node.kind === "choice") for (const item of node.items) assertKnown(item, rules);
  if (node.kind === "repeat") assertKnown(node.item, rules);
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    const node = this.#choice();
    this.#blank();
    if (this.#at < this.#text.length) throw new Error(`unexpected ${this.#text.slice(this.#at)}`);
    return node;
  }

  #blank(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    for (this.#blank(); this.#text[this.#at] === "|"; this.#blank()) {
      this.#at++;
      items.push(this.#sequence());
    }
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      this.#blank();
      const next = this.#text[this.#at];
      if (next === undefined || next === "|" || next === ")") return { kind: "sequence", items };
      items.push(this.#repeated(this.#atom()));
    }
  }

  #atom(): Node {
    const next = this.#text[this.#at]!;
    if (next === '"') return this.#literal();
    if (next === "[") return this.#class();
    if (next === "(") {
      this.#at++;
      const inner = this.#choice();
      this.#blank();
      if (this.#text[this.#at++] !== ")") throw new Error("a group is not closed");
      return inner;
    }
    const name = /^[a-zA-Z][\w-]*/.exec(this.#text.slice(this.#at))?.[0];
    if (!name) throw new Error(`unexpected ${this.#text.slice(this.#at)}`);
    this.#at += name.length;
    return { kind: "rule", name };
  }

  #repeated(item: Node): Node {
    const next = this.#text[this.#at];
    const simple = next === "?" ? [0, 1] : next === "*" ? [0, 8] : next === "+" ? [1, 8] : null;
    if (simple) {
      this.#at++;
      return { kind: "repeat", item, least: simple[0]!, most: simple[1]! };
    }
    const counts = /^\{(\d+)(?:,(\d+))?\}/.exec(this.#text.slice(this.#at));
    if (!counts) return item;
    this.#at += counts[0].length;
    return { kind: "repeat", item, least: Number(counts[1]), most: Number(counts[2] ?? counts[1]) };
  }

  #literal(): Node {
    this.#at++;
    let text = "";
    while (this.#text[this.#at] !== '"') text += this.#letter();
    this.#at++;
    return { kind: "literal", text };
  }

  #class(): Node {
    this.#at++;
    const negated = this.#text[this.#at] === "^";
    if (negated) this.#at++;
    const ranges: [number, number][] = [];
    while (this.#text[this.#at] !== "]") {
      const from = this.#letter().codePointAt(0)!;
      let to = from;
      if (this.#text[this.#at] === "-" && this.#text[this.#at + 1] !== "]") {
        this.#at++;
        to = this.#letter().codePointAt(0)!;
      }
      ranges.push([from, to]);
    }
    this.#at++;
    return { kind: "class", ranges, negated };
  }

  #letter(): string {
    const letter = this.#text[this.#at++];
    if (letter === undefined) throw new Error("a literal is not closed");
    if (letter !== "\\") return letter;
    const escaped = this.#text[this.#at++]!;
    if (escaped === "x") {
      const code = this.#text.slice(this.#at, this.#at + 2);
      this.#at += 2;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    return { n: "\n", r: "\r", t: "\t" }[escaped] ?? escaped;
  }
}

/** Writes one text that the grammar allows; `pick(n)` gives a number from 0 to n - 1. */
export function writeByGrammar(grammar: Grammar, pick: (n: number) => number): string {
  let budget = 4000;
  const write = (node: Node): string => {
    if (budget-- < 0) throw new Error("the grammar writes without end");
    switch (node.kind) {
      case "literal":
        return node.text;
      case "rule":
        return write(grammar.get(node.name)!);
      case "sequence":
        return node.items.map(write).join("");
      case "choice":
        return write(node.items[pick(node.items.length)]!);
      case "repeat": {
        const count = node.least + pick(Math.min(node.most - node.least, 5) + 1);
        return Array.from({ length: count }, () => write(node.item)).join("");
      }
      case "class":
        return letterOf(node, pick);
    }
  };
  return write(grammar.get("root")!);
}

function letterOf(node: Extract<Node, { kind: "class" }>, pick: (n: number) => number): string {
  if (!node.negated) {
    const [from, to] = node.ranges[pick(node.ranges.length)]!;
    return String.fromCodePoint(from + pick(to - from + 1));
  }
  const letters = [..."abc XYZ09,:{}[]'é漢"].filter(
    (letter) => !node.ranges.some(([from, to]) => letter.codePointAt(0)! >= from && letter.codePointAt(0)! <= to),
  );
  return letters[pick(letters.length)]!;
}
