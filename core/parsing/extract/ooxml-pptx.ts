import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { coreProperties, relationships } from "./ooxml-package.ts";
import { TextBuilder } from "./text-builder.ts";
import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

/** PowerPoint: slides in the order shown, titles first, table rows with tabs, charts' and diagrams' words, notes and comments after each slide. */
export async function extractPptx(zip: Zip, context: ExtractContext): Promise<Extracted> {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const slides = await slidesInOrder(zip);
  let hidden = 0;
  for (let i = 0; i < slides.length; i++) {
    if (context.expired()) {
      context.warn({
        kind: "cut-short",
        message: `Reading took too long: the text ends after slide ${i} of ${slides.length}.`,
      });
      break;
    }
    const name = slides[i]!;
    const xml = await zip.text(name);
    if (xml === null) continue;
    if (/<p:sld\b[^>]*\bshow="0"/.test(xml)) hidden++;
    const { title, text } = slideText(xml);
    builder
      .newParagraph()
      .open("slide", title, 1, i + 1)
      .add(text);
    for (const rel of (await relationships(zip, name)).values()) {
      if (rel.external) continue;
      if (rel.type.endsWith("/notesSlide")) {
        const notes = notesText((await zip.text(rel.target)) ?? "");
        if (notes !== "") builder.newParagraph().add(`Notes: ${notes}`);
      } else if (/\/(diagramData|chart|comments)$/.test(rel.type)) {
        const words = looseText((await zip.text(rel.target)) ?? "");
        if (words !== "") builder.newLine().add(words);
      }
    }
    context.progress(i + 1, slides.length, "slide");
  }
  const { text, sections } = builder.finish();
  const metadata = await coreProperties(zip);
  const title =
    metadata["title"] && !/^PowerPoint Presentation$/i.test(metadata["title"])
      ? metadata["title"]
      : (sections[0]?.title ?? null);
  return {
    format: "pptx",
    text,
    sections,
    title,
    language: null,
    warnings: [],
    metadata: { ...metadata, slides: slides.length, ...(hidden > 0 ? { hiddenSlides: hidden } : {}) },
  };
}

async function slidesInOrder(zip: Zip): Promise<string[]> {
  let main = "ppt/presentation.xml";
  for (const rel of (await relationships(zip, "")).values())
    if (rel.type.endsWith("/officeDocument")) main = rel.target;
  const xml = await zip.text(main);
  const rels = await relationships(zip, main);
  const listed: string[] = [];
  if (xml !== null) {
    walkXml(xml, {
      open(local, attributes) {
        if (local !== "sldId") return;
        const target = rels.get(attributes["r:id"] ?? "")?.target;
        if (target && !listed.includes(target)) listed.push(target);
      },
    });
  }
  if (listed.length > 0) return listed;
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
  return zip.names.filter((name) => /ppt\/slides\/slide\d+\.xml$/.test(name)).sort((a, b) => number(a) - number(b));
}

interface Shape {
  title: boolean;
  y: number;
  x: number;
  order: number;
  lines: string[];
}

/** Shapes by place (title first, then rows from top to bottom), because files keep them in the order of drawing. */
function slideText(xml: string): { title: string | null; text: string } {
  const shapes: Shape[] = [];
  const open: Shape[] = [];
  let paragraph: string | null = null;
  let cells: string[] | null = null;
  let cell: string[] = [];
  let fallback = 0;
  let inText = false;
  walkXml(xml, {
    open(local, attributes, name) {
      if (name === "mc:Fallback") fallback++;
      if (fallback > 0) return;
      if (name === "p:sp" || name === "p:graphicFrame" || name === "p:cxnSp" || name === "p:pic") {
        open.push({ title: false, y: Number.NaN, x: Number.NaN, order: shapes.length + open.length, lines: [] });
      }
      const shape = open.at(-1);
      if (local === "ph" && shape) shape.title = /^(?:ctrT|t)itle$/.test(attribute(attributes, "type") ?? "");
      else if (local === "off" && shape && Number.isNaN(shape.y)) {
        shape.x = Number(attribute(attributes, "x"));
        shape.y = Number(attribute(attributes, "y"));
      } else if (name === "a:p") paragraph = "";
      else if (name === "a:br" && paragraph !== null) paragraph += "\n";
      else if (name === "a:tr") cells = [];
      else if (name === "a:tc") cell = [];
      else if (name === "a:t" || name === "m:t") inText = true;
      else if (name === "a:tab" && paragraph !== null) paragraph += "\t";
    },
    text(text) {
      if (inText && fallback === 0 && paragraph !== null) paragraph += text.replace(/\v/g, "\n");
    },
    close(local, name) {
      if (name === "mc:Fallback") fallback--;
      if (fallback > 0) return;
      if (name === "a:t" || name === "m:t") inText = false;
      else if (name === "a:p" && paragraph !== null) {
        const text = paragraph.replace(/[ \t]+$/gm, "");
        paragraph = null;
        if (cells !== null) cell.push(text);
        else if (text.trim() !== "") open.at(-1)?.lines.push(text);
      } else if (name === "a:tc") cells?.push(cell.join(" ").replace(/\s+/g, " ").trim());
      else if (name === "a:tr" && cells !== null) {
        const row = cells.join("\t").replace(/\t+$/, "");
        cells = null;
        if (row !== "") open.at(-1)?.lines.push(row);
      } else if (name === "p:sp" || name === "p:graphicFrame" || name === "p:cxnSp" || name === "p:pic") {
        const shape = open.pop();
        if (shape && shape.lines.length > 0) shapes.push(shape);
      }
      void local;
    },
  });
  const placed = shapes.every((shape) => shape.title || !Number.isNaN(shape.y));
  const row = 300_000; // EMU, about a third of an inch: shapes closer than that stand side by side.
  shapes.sort(
    (a, b) =>
      Number(b.title) - Number(a.title) ||
      (placed ? Math.round(a.y / row) - Math.round(b.y / row) || a.x - b.x : 0) ||
      a.order - b.order,
  );
  const title = shapes.find((shape) => shape.title);
  return {
    title: title ? title.lines.join(" ").replace(/\s+/g, " ") : null,
    text: shapes.map((shape) => shape.lines.join("\n")).join("\n"),
  };
}

/** The notes page repeats the slide's picture and number; only the body placeholder is what was written. */
function notesText(xml: string): string {
  const texts: string[] = [];
  for (const match of xml.matchAll(/<p:sp>[\s\S]*?<\/p:sp>/g)) {
    if (/<p:ph\b[^>]*type="(?:sldImg|sldNum|hdr|ftr|dt)"/.test(match[0])) continue;
    const text = looseText(match[0]);
    if (text !== "") texts.push(text);
  }
  return texts.join("\n");
}

/** All words of a part, a paragraph a line. */
function looseText(xml: string): string {
  const lines: string[] = [];
  let line = "";
  let inText = false;
  walkXml(xml, {
    open(local) {
      inText = local === "t" || local === "v" || local === "text";
    },
    text(text) {
      if (inText) line += text;
    },
    close(local) {
      inText = false;
      if ((local === "p" || local === "v" || local === "text" || local === "pt") && line.trim() !== "") {
        lines.push(line.trim());
        line = "";
      }
    },
  });
  return [...new Set(lines)].join("\n");
}
