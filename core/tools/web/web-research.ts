import { z } from "zod";
import { NOTHING_FOUND, NOTHING_SENT } from "../built-in/nothing.ts";
import { quoted } from "../built-in/passages.ts";
import { parametersOf } from "../parameters.ts";
import type { Passage, Tool, ToolOutput } from "../types.ts";
import { DEPTHS, type Depth, PRESETS } from "./depth.ts";
import type { ResearchReport } from "./ports.ts";
import { domainOf } from "./rank.ts";
import { type ResearchDeps, research } from "./research.ts";

const Args = z.object({
  question: z.string().min(1).max(1000).describe("What to find out, as one question"),
  depth: z.enum(DEPTHS).catch("focused").default("focused").describe("How much to read"),
  known: z.string().max(2000).catch("").default("").describe("What is known already"),
  addresses: z
    .union([z.array(z.string().max(2000)), z.string().transform((one) => [one])])
    .catch([])
    .default([])
    .describe("Web addresses to read, if the user named any"),
});
type Args = z.output<typeof Args>;

/** Looks on the web, through egress. While the network is off it answers at once that it is off, and sends nothing. */
export function webResearch(deps: ResearchDeps): Tool<Args> {
  const off = ({ addresses }: Args) =>
    deps.egress.refusal("web-research", deps.engine() ?? usable(addresses)[0] ?? "https://example.org/");
  return {
    name: "web_research",
    description: "Look something up on the web: current facts, prices, news elsewhere, or pages at given addresses.",
    schema: Args,
    parameters: parametersOf(Args),
    safety: "sensitive",
    timeoutMs: 10 * 60_000,
    label: ({ question }) => `Looking on the web for ${quoted(question)}`,
    leaves: (args) => (off(args) === null ? leavesOf(args, deps.engine()) : null),
    async execute(args, context) {
      const reason = off(args);
      if (reason !== null) return offOutput(reason);
      const addresses = usable(args.addresses);
      const report = await research(deps, {
        question: args.question,
        depth: args.depth,
        known: args.known,
        addresses,
        ownAddresses: new Set(addresses.filter((address) => context.userText.includes(address.replace(/\/$/, "")))),
        signal: context.signal,
        progress: (label, fraction) => context.progress(label, fraction),
      });
      return outputOf(report);
    },
  };
}

function offOutput(reason: string): ToolOutput {
  return {
    text: `${reason} Nothing was looked up and nothing was sent. The user can allow it under Privacy. Say so, and answer from what is known.`,
    summary: `${reason} ${NOTHING_SENT}`,
  };
}

function leavesOf(args: Args, engine: string | null): string {
  const pages = `requests for up to ${Math.max(PRESETS[args.depth as Depth].pages, usable(args.addresses).length)} pages`;
  const words =
    engine === null
      ? ""
      : `The words ${quoted(args.question)} to ${hostOf(engine)}, the search service you set up, and `;
  const text = `${words}${pages}. Each site sees your network address. No file, belief or message is sent.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hostOf(engine: string): string {
  return URL.canParse(engine) ? new URL(engine).host : engine;
}

function usable(addresses: readonly string[]): string[] {
  return [
    ...new Set(
      addresses
        .map((address) => (/^https?:\/\//i.test(address) ? address : `https://${address}`))
        .filter((address) => URL.canParse(address))
        .map((address) => new URL(address).href),
    ),
  ].slice(0, 20);
}

function outputOf(report: ResearchReport): ToolOutput {
  const pages = `${report.pagesRead} page${report.pagesRead === 1 ? "" : "s"}`;
  const problems = report.problems.slice(0, 8).map((problem) => `Not read: ${problem}`);
  if (report.facts.length === 0) {
    return {
      text: [`Nothing on ${pages} answers: ${report.question}`, ...problems].join("\n"),
      summary: `${NOTHING_FOUND} on ${pages}`,
      passages: [],
    };
  }
  const sections = report.checklist.flatMap((question, q) => {
    const facts = report.facts.filter((fact) => fact.question === q);
    if (facts.length === 0) return [];
    return [
      [
        question,
        ...facts.map((fact) => `- ${fact.text} (${fact.title}, ${domainOf(fact.url)}${dated(fact.publishedAt)})`),
      ].join("\n"),
    ];
  });
  return {
    text: [...sections, ...(problems.length > 0 ? [problems.join("\n")] : [])].join("\n\n"),
    summary: `${report.facts.length} fact${report.facts.length === 1 ? "" : "s"} from ${pages}`,
    passages: report.facts.slice(0, 12).map(
      (fact): Passage => ({
        kind: "web",
        sourceId: fact.url,
        title: fact.title,
        place: domainOf(fact.url),
        text: fact.text,
        mark: null,
        score: fact.fit,
        why: "answers the question",
      }),
    ),
  };
}

function dated(publishedAt: string | null): string {
  return publishedAt && /^\d{4}/.test(publishedAt) ? `, ${publishedAt.slice(0, 10)}` : "";
}
