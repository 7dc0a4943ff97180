import { attribute, walkXml } from "./xml.ts";

/** What a Word file says of its paragraph styles: which are headings, which are lists. */
export interface Styles {
  readonly headingLevel: ReadonlyMap<string, number>;
  readonly numbering: ReadonlyMap<string, { id: string; level: number }>;
}

export interface ListLevel {
  readonly format: string;
  readonly text: string;
  readonly start: number;
}

export function readStyles(xml: string | null): Styles {
  const headingLevel = new Map<string, number>();
  const numbering = new Map<string, { id: string; level: number }>();
  if (xml === null) return { headingLevel, numbering };
  const basedOn = new Map<string, string>();
  let style = "";
  let numId = "";
  let level = 0;
  walkXml(xml, {
    open(local, attributes) {
      const value = attribute(attributes, "val") ?? "";
      if (local === "style") {
        style = attribute(attributes, "styleId") ?? "";
        numId = "";
        level = 0;
      } else if (local === "name") {
        const heading = /^heading (\d)$/i.exec(value);
        if (heading) headingLevel.set(style, Number(heading[1]));
        if (/^title$/i.test(value)) headingLevel.set(style, 0);
      } else if (local === "basedOn") basedOn.set(style, value);
      else if (local === "outlineLvl" && !headingLevel.has(style) && Number(value) < 9)
        headingLevel.set(style, Number(value) + 1);
      else if (local === "numId") numId = value;
      else if (local === "ilvl") level = Number(value);
    },
    close(local) {
      if (local === "style" && numId !== "") numbering.set(style, { id: numId, level });
    },
  });
  for (const id of basedOn.keys()) {
    let parent = basedOn.get(id);
    for (let hops = 0; parent !== undefined && hops < 10; hops++) {
      const inherited = headingLevel.get(parent);
      if (!headingLevel.has(id) && inherited !== undefined && inherited > 0) headingLevel.set(id, inherited);
      const list = numbering.get(parent);
      if (!numbering.has(id) && list) numbering.set(id, list);
      parent = basedOn.get(parent);
    }
  }
  return { headingLevel, numbering };
}

/** The levels of each list, by the number that paragraphs name. */
export function readNumbering(xml: string | null): Map<string, ListLevel[]> {
  const abstracts = new Map<string, ListLevel[]>();
  const lists = new Map<string, ListLevel[]>();
  if (xml === null) return lists;
  let levels: ListLevel[] = [];
  let current: { format: string; text: string; start: number } | null = null;
  let num = "";
  walkXml(xml, {
    open(local, attributes) {
      const value = attribute(attributes, "val") ?? "";
      if (local === "abstractNum") {
        levels = [];
        abstracts.set(attribute(attributes, "abstractNumId") ?? "", levels);
      } else if (local === "lvl") current = { format: "decimal", text: "", start: 1 };
      else if (local === "numFmt" && current) current.format = value;
      else if (local === "lvlText" && current) current.text = value;
      else if (local === "start" && current) current.start = Number(value) || 0;
      else if (local === "num") num = attribute(attributes, "numId") ?? "";
      else if (local === "abstractNumId" && num !== "") lists.set(num, abstracts.get(value) ?? []);
    },
    close(local) {
      if (local === "lvl" && current && num === "") levels.push(current);
      if (local === "lvl") current = null;
    },
  });
  return lists;
}

/** Counts lists on as a reader of the page would see it. */
export class ListCounter {
  readonly #lists: ReadonlyMap<string, ListLevel[]>;
  readonly #styles: Styles;
  readonly #counts = new Map<string, number[]>();

  constructor(lists: ReadonlyMap<string, ListLevel[]>, styles: Styles) {
    this.#lists = lists;
    this.#styles = styles;
  }

  /** The mark in front of a list paragraph, "2.1 " or "- "; empty for others. */
  mark(style: string, numId: string | null, level: number | null): string {
    const inherited = this.#styles.numbering.get(style);
    const id = numId ?? inherited?.id ?? null;
    if (id === null || id === "0") return "";
    const depth = level ?? inherited?.level ?? 0;
    const levels = this.#lists.get(id);
    const spec = levels?.[depth];
    if (!spec) return levels ? "- " : "";
    const counts = this.#counts.get(id) ?? [];
    this.#counts.set(id, counts);
    counts[depth] = (counts[depth] ?? spec.start - 1) + 1;
    counts.length = depth + 1;
    const indent = "  ".repeat(depth);
    if (spec.format === "bullet") return `${indent}- `;
    if (spec.format === "none") return indent;
    const text = spec.text.replace(/%(\d)/g, (_, which: string) => {
      const at = Number(which) - 1;
      return formatNumber(counts[at] ?? levels?.[at]?.start ?? 1, levels?.[at]?.format ?? "decimal");
    });
    return text === "" ? indent : `${indent}${text} `;
  }
}

function formatNumber(value: number, format: string): string {
  if (format === "lowerLetter" || format === "upperLetter") {
    const letter = String.fromCharCode(97 + ((Math.max(1, value) - 1) % 26)).repeat(Math.ceil(Math.max(1, value) / 26));
    return format === "upperLetter" ? letter.toUpperCase() : letter;
  }
  if (format === "lowerRoman" || format === "upperRoman") {
    const roman = toRoman(value);
    return format === "lowerRoman" ? roman.toLowerCase() : roman;
  }
  return format === "decimalZero" && value < 10 ? `0${value}` : String(value);
}

function toRoman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  const steps: [number, string][] = [
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ];
  let rest = value;
  let text = "";
  for (const [step, letters] of steps) {
    while (rest >= step) {
      text += letters;
      rest -= step;
    }
  }
  return text;
}
