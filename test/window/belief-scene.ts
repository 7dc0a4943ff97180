/** Invented beliefs for tests and pictures of the belief screens: the mock-ups' subjects, with sums that add up. */
import type { BeliefEvidence, BeliefRevision, BeliefSummary, Snapshot } from "../../core/contract/index.ts";
import type { Script } from "./scripted-core.ts";

const now = Date.now();
const days = (n: number) => now - n * 86_400_000 - 60_000;

export function belief(part: Partial<BeliefSummary> & { id: string; statement: string }): BeliefSummary {
  const confidence = part.confidence ?? 0.4;
  return {
    topic: "fish-passage",
    valence: 0.2,
    confidence,
    fullConfidence: part.fullConfidence ?? confidence,
    uncertainty: 0.36 * (1 - confidence),
    supports: 2,
    contradicts: 1,
    createdAt: days(200),
    changedAt: days(30),
    refusedAt: null,
    pinned: false,
    disputed: false,
    fading: false,
    retired: false,
    before: null,
    ...part,
  };
}

const named: BeliefSummary[] = [
  belief({
    id: "night",
    statement: "Silver eels at Brackwell pass mostly at night, on rising flow",
    valence: 0.43,
    confidence: 0.52,
    supports: 6,
    contradicts: 1,
    changedAt: days(0),
    before: 0.346,
  }),
  belief({
    id: "stopped",
    statement: "Eels have stopped passing Brackwell",
    valence: -0.22,
    confidence: 0.33,
    supports: 1,
    contradicts: 2,
    changedAt: days(0),
    refusedAt: now - 1000,
  }),
  belief({
    id: "rack",
    statement: "The old trash-rack spacing let small eels reach the turbines",
    valence: -0.38,
    confidence: 0.44,
    supports: 2,
    contradicts: 4,
    changedAt: days(1),
    before: -0.31,
  }),
  belief({
    id: "cost",
    statement: "Night stops cost under 3 % of yearly output",
    valence: 0.22,
    confidence: 0.36,
    supports: 3,
    contradicts: 1,
    changedAt: days(3),
    disputed: true,
  }),
  belief({
    id: "heat",
    topic: "heat-pumps",
    statement: "Heat pumps stay above a seasonal factor of 2.8 in solid walls",
    valence: 0.61,
    confidence: 0.68,
    supports: 9,
    contradicts: 2,
    changedAt: days(10),
  }),
  belief({
    id: "radiators",
    topic: "heat-pumps",
    statement: "Radiators must be replaced when a heat pump goes in",
    valence: -0.29,
    confidence: 0.48,
    supports: 3,
    contradicts: 5,
    changedAt: days(10),
  }),
  belief({
    id: "noise",
    topic: "heat-pumps",
    statement: "Noise is the main reason for complaints",
    valence: -0.52,
    confidence: 0.57,
    supports: 2,
    contradicts: 7,
    changedAt: days(22),
  }),
  belief({
    id: "bubbles",
    statement: "Bubble curtains turn eels away from intakes",
    valence: -0.66,
    confidence: 0.62,
    supports: 1,
    contradicts: 8,
    changedAt: days(28),
  }),
  belief({
    id: "flow",
    topic: "heat-pumps",
    statement: "Lower flow temperature saves more than loft insulation at first",
    valence: 0.34,
    confidence: 0.41,
    supports: 4,
    contradicts: 2,
    changedAt: days(70),
    fading: true,
    fullConfidence: 0.49,
  }),
  belief({
    id: "loop",
    topic: "moor-line",
    statement: "A half-hourly Moor Line needs a second passing loop",
    valence: 0.74,
    confidence: 0.71,
    supports: 8,
    contradicts: 1,
    changedAt: days(32),
    pinned: true,
  }),
  belief({
    id: "fares",
    topic: "moor-line",
    statement: "Through fares raise ridership more than faster trains",
    valence: 0.06,
    confidence: 0.29,
    supports: 2,
    contradicts: 2,
    changedAt: days(36),
  }),
  belief({
    id: "crowded",
    topic: "moor-line",
    statement: "The 06:14 is the most crowded train of the day",
    valence: -0.15,
    confidence: 0.31,
    supports: 1,
    contradicts: 2,
    changedAt: days(43),
    fading: true,
    fullConfidence: 0.37,
  }),
  belief({
    id: "track",
    topic: "moor-line",
    statement: "A third track at the depot would remove the evening delays",
    valence: 0.18,
    confidence: 0.3,
    supports: 2,
    contradicts: 1,
    changedAt: days(50),
  }),
];

/** More of them, spread as real ones are: the surer, the farther from the middle. */
export function crowd(n: number): BeliefSummary[] {
  return Array.from({ length: n }, (_, i) => {
    const a = ((i * 73) % 101) / 101;
    const b = ((i * 37) % 89) / 89;
    const confidence = 0.2 + 0.5 * a * a;
    return belief({
      id: `x${i}`,
      statement: `Finding ${i + 1} of the river survey holds in other years`,
      topic: ["river-flow", "tariffs", "other"][i % 3]!,
      confidence,
      valence: (b < 0.5 ? -1 : 1) * Math.min(0.95, (confidence - 0.15) * (0.4 + b)),
      supports: 1,
      contradicts: i % 2,
      changedAt: days(60 + i),
    });
  });
}

interface Told {
  readonly title: string;
  readonly place: string;
  readonly quote: string;
  readonly type: NonNullable<BeliefRevision["type"]>;
  readonly strength: number;
  readonly direction: 1 | -1;
  readonly ago: number;
  readonly cooling?: boolean;
  readonly damped?: boolean;
  readonly refused?: boolean;
}
const told: Told[] = [
  {
    title: "First tagging note",
    place: "",
    quote: "Eleven tags, nine heard after sunset.",
    type: "empirical_data",
    strength: 0.66,
    direction: 1,
    ago: 182,
    damped: true,
  },
  {
    title: "Letter from a fisheries adviser",
    place: "",
    quote: "In slack water I would expect movement at any hour; the gauge is a poor guide in dry years.",
    type: "expert_opinion",
    strength: 0.45,
    direction: -1,
    ago: 165,
  },
  {
    title: "Flow gauge record",
    place: "sheet 2",
    quote: "Peak counts followed the gauge by six to ten hours in all three seasons.",
    type: "empirical_data",
    strength: 0.64,
    direction: 1,
    ago: 144,
  },
  {
    title: "A petition text",
    place: "",
    quote: "",
    type: "social_pressure",
    strength: 0.04,
    direction: -1,
    ago: 136,
    refused: true,
  },
  {
    title: "Lower ladder counts",
    place: "entry of 14 Aug",
    quote: "Counts peak in the second half of the night.",
    type: "empirical_data",
    strength: 0.6,
    direction: 1,
    ago: 109,
    cooling: true,
  },
  {
    title: "Tag recovery note",
    place: "§ 3",
    quote: "Nine of eleven recovered tags show a first crossing after dusk.",
    type: "empirical_data",
    strength: 0.66,
    direction: 1,
    ago: 65,
  },
  {
    title: "Silver eel passage, report",
    place: "p. 14",
    quote: "71 did so within twelve hours of a rise above 14 m³/s.",
    type: "empirical_data",
    strength: 0.62,
    direction: 1,
    ago: 0,
  },
];
const caps = { empirical_data: 0.2, expert_opinion: 0.08, social_pressure: 0 } as Record<string, number>;

function history(statement: string): { revisions: BeliefRevision[]; evidence: BeliefEvidence[]; valence: number } {
  let valence = 0;
  let confidence = 0.32;
  const revisions: BeliefRevision[] = [];
  const evidence: BeliefEvidence[] = [];
  for (const [i, item] of told.entries()) {
    const at = days(item.ago);
    const before = i === 0 ? null : valence;
    const confidenceBefore = confidence;
    const cap = (caps[item.type] ?? 0) * item.strength;
    const raw = (item.direction * 0.2 * item.strength) / (confidence + 1);
    let delta = Math.abs(raw) > cap ? item.direction * cap : raw;
    if (item.damped) delta /= 2;
    if (item.cooling) delta /= 2;
    if (item.refused) delta = 0;
    valence += delta;
    if (item.direction === 1 && !item.refused) confidence += (0.95 - confidence) * 0.08;
    revisions.push({
      id: `r${i}`,
      seq: i + 1,
      beliefId: "night",
      statement,
      kind: item.refused ? "refused" : "evidence",
      at,
      before,
      after: valence,
      confidenceBefore,
      confidenceAfter: confidence,
      title: [item.title, item.place].filter(Boolean).join(", "),
      type: item.type,
      strength: item.strength,
      why: "",
      detail: "",
      arithmetic: item.refused
        ? null
        : {
            direction: item.direction,
            base: 0.2,
            strength: item.strength,
            confidence: confidenceBefore,
            raw,
            cap,
            capped: Math.abs(raw) > cap,
            damped: item.damped ?? false,
            cooling: item.cooling ?? false,
            saturated: false,
            delta,
            contracted: false,
          },
      undone: null,
    });
    if (!item.refused) {
      evidence.push({
        id: `e${i}`,
        kind: i % 2 === 0 ? "message" : "user",
        refId: `m${i}`,
        sourceId: "eels",
        title: item.title,
        place: item.place,
        quote: item.quote,
        direction: item.direction,
        strength: item.strength,
        type: item.type,
        scorer: "rules+embedder",
        at,
        revisionId: `r${i}`,
      });
    }
  }
  return { revisions: revisions.reverse(), evidence: evidence.reverse(), valence };
}

const shared =
  "I think that night stops timed to a forecast cost little, under three percent of yearly output. This rests on one station's log and is disputed.\n\nI hold it false that bubble curtains turn eels away, after eight trials of nine.\n\nIn solid-wall houses, heat pumps mostly keep a seasonal factor above 2.8. The exceptions ran their radiators above 50 °C. I hold it false that noise is the main reason for complaints.\n\nOn the Moor Line, a half-hourly service needs a second passing loop. Whether through fares or faster trains raise ridership more, I do not know.";
const opening = "At Brackwell I hold that silver eels pass mostly at night, when the river rises. ";
const snapshots: Snapshot[] = [
  {
    version: 14,
    at: now - 7_200_000,
    text: `${opening}Three seasons and a telemetry report support it; in dry years passage is slow and spread out, and I would not plan on flow alone.\n\n${shared}`,
    tokens: 486,
    refused: null,
    author: "rules",
    change: "1 sentence changed",
  },
  {
    version: 13,
    at: days(65),
    text: `${opening}Two seasons support it and I am not sure how far it holds in dry years.\n\n${shared}`,
    tokens: 470,
    refused: null,
    author: "rules",
    change: "2 sentences changed",
  },
  {
    version: null,
    at: days(112),
    text: "Eels pass. More later.",
    tokens: 6,
    refused: "Rewrite refused: 22 characters, too short",
    author: "model",
    change: "Rewrite refused: 22 characters, too short",
  },
  {
    version: 12,
    at: days(120),
    text: `${opening}\n\n${shared}`,
    tokens: 450,
    refused: null,
    author: "rules",
    change: "1 added",
  },
];

/** A window with beliefs. `count` adds a crowd of plain ones. */
export function beliefScript(options: { count?: number; script?: Script } = {}): Script {
  let list = [...named, ...crowd(options.count ?? 60)];
  let disputed: { reason: string; at: number } | null = null;
  let undone = false;
  const one = (id: string) => {
    const found = list.find((each) => each.id === id);
    if (!found)
      throw {
        kind: "general.not-found",
        message: `There is no belief with the id ${id}. It may have been deleted.`,
        facts: { id },
        retry: "never",
      };
    return found;
  };
  const change = (id: string, part: Partial<BeliefSummary>) => {
    list = list.map((each) => (each.id === id ? { ...each, ...part } : each));
    return one(id);
  };
  const fits = {
    all: (each: BeliefSummary) => !each.retired,
    moved: (each: BeliefSummary) => now - each.changedAt < 7 * 86_400_000,
    disputed: (each: BeliefSummary) => each.disputed,
    pinned: (each: BeliefSummary) => each.pinned,
    fading: (each: BeliefSummary) => each.fading,
    retired: (each: BeliefSummary) => each.retired,
  };
  const effect = (id: string) => {
    const at = one(id);
    return {
      beliefId: id,
      statement: at.statement,
      before: { valence: at.valence, confidence: at.confidence },
      after: { valence: 0.346, confidence: 0.48 },
      later: [],
    };
  };
  return {
    ...options.script,
    answers: {
      "beliefs.list": ({ view = "all", topic, query, sort = "change" }) => {
        const found = list
          .filter(fits[view])
          .filter((each) => topic === undefined || each.topic === topic)
          .filter((each) => !query || each.statement.toLowerCase().includes(query.toLowerCase()))
          .sort((a, b) =>
            sort === "valence"
              ? b.valence - a.valence
              : sort === "confidence"
                ? b.confidence - a.confidence
                : b.changedAt - a.changedAt,
          );
        const topics = new Map<string, number>();
        for (const each of list) topics.set(each.topic, (topics.get(each.topic) ?? 0) + 1);
        return {
          beliefs: found,
          total: found.length,
          counts: Object.fromEntries(
            Object.entries(fits).map(([name, fit]) => [name, list.filter(fit).length]),
          ) as never,
          topics: [...topics].map(([name, count]) => ({
            topic: name,
            title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " "),
            count,
          })),
          revisions: 612,
          snapshotVersion: 14,
        };
      },
      "beliefs.get": ({ id }) => {
        const found = one(id);
        const { revisions, evidence } = history(found.statement);
        const rows = revisions.map((row) =>
          undone && row.id === "r6" ? { ...row, undone: { at: now, why: "Taken back by you" } } : row,
        );
        return {
          belief: found,
          evidence,
          revisions: rows,
          dispute: found.disputed ? (disputed ?? { reason: "The log is of one station only.", at: days(2) }) : null,
          settledBy: [
            "A second, independent source: all of the evidence comes from one.",
            "The reasons behind “Letter from a fisheries adviser”: it is an opinion so far.",
          ],
        };
      },
      "beliefs.dispute": ({ id, reason }) => {
        disputed = { reason, at: now };
        return change(id, { disputed: true });
      },
      "beliefs.settle": ({ id }) => change(id, { disputed: false }),
      "beliefs.pin": ({ id, pinned }) => change(id, { pinned }),
      "beliefs.edit": ({ id, statement }) => change(id, { statement }),
      "beliefs.renew": ({ id }) => change(id, { fading: false }),
      "beliefs.remove": ({ id }) => {
        list = list.filter((each) => each.id !== id);
        return null;
      },
      "beliefs.restore": () => one("night"),
      "beliefs.previewUndo": () => effect("night"),
      "beliefs.undo": () => {
        undone = true;
        const done = effect("night");
        change("night", { valence: 0.346 });
        return done;
      },
      "beliefs.redo": () => {
        undone = false;
        return change("night", { valence: 0.43 });
      },
      "beliefs.add": ({ text }) => {
        const strong = /\d/.test(text);
        return {
          verdict: {
            reasoningType: strong ? "empirical_data" : "social_pressure",
            strength: strong ? 0.6 : 0.04,
            signals: { specificity: 0.5, grounding: 0.5, rigor: 0.5, sourceQuality: 0.5, objectivity: 0.5 },
            urgency: 0,
            recommendUpdate: strong,
            allowed: strong,
            scorer: "rules+embedder",
            topics: [],
            freezeProbability: strong ? 0 : 0.9,
            reasons: ["Reads as social pressure."],
          },
          notes: strong
            ? [
                {
                  beliefId: "night",
                  revisionId: "r9",
                  outcome: "moved",
                  statement: "",
                  before: 0.43,
                  after: 0.5,
                  uncertainty: 0.1,
                  why: "",
                },
              ]
            : [],
        };
      },
      "beliefs.log": () => {
        const { revisions } = history(named[0]!.statement);
        return { revisions, total: 612 };
      },
      "beliefs.digest": () => ({
        moved: named.slice(0, 3).map((each) => ({ belief: each, from: each.before })),
        refused: 1,
        fading: 1,
        words: "3 beliefs moved, 1 refused to move, 1 is fading. Two feed entries and one document did it.",
      }),
      "beliefs.snapshots": () => ({ versions: snapshots }),
      "beliefs.useSnapshot": () => ({ versions: snapshots }),
      "beliefs.rewriteSnapshot": () => ({ versions: snapshots }),
      ...options.script?.answers,
    },
  };
}
