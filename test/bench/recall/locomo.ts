/** Reads conversations in LoCoMo's format: sessions of turns with ids, and questions with the ids of their evidence. */

export interface SampleTurn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
}

export interface Sample {
  readonly id: string;
  readonly sessions: readonly (readonly SampleTurn[])[];
  readonly turns: readonly SampleTurn[];
  readonly questions: readonly {
    readonly text: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

interface RawTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text?: string;
  readonly blip_caption?: string;
}
interface RawSample {
  readonly sample_id?: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    readonly question: string;
    readonly evidence?: readonly string[] | string;
    readonly category: number;
  }[];
}

const months = "january february march april may june july august september october november december".split(" ");

/** "1:56 pm on 8 May, 2023" as milliseconds; anything else that Date understands; or null. */
export function sessionTime(text: string): number | null {
  const match = /^(\d{1,2}):(\d{2})\s*(am|pm)\s+on\s+(\d{1,2})\s+(\w+),?\s+(\d{4})$/i.exec(text.trim());
  if (!match) {
    const parsed = Date.parse(text);
    return Number.isNaN(parsed) ? null : parsed;
  }
  const hour = (Number(match[1]) % 12) + (match[3]!.toLowerCase() === "pm" ? 12 : 0);
  return Date.UTC(Number(match[6]), months.indexOf(match[5]!.toLowerCase()), Number(match[4]), hour, Number(match[2]));
}

/** Turn ids are "D1:3"; evidence lists hold stray forms such as "D8:6; D9:17" and "D30:05". */
function evidenceIds(raw: readonly string[] | string | undefined): string[] {
  const text = Array.isArray(raw) ? raw.join(" ") : ((raw as string | undefined) ?? "");
  return [...new Set([...text.matchAll(/D:?(\d+):(\d+)/g)].map((match) => `D${Number(match[1])}:${Number(match[2])}`))];
}

export function readSamples(json: unknown): Sample[] {
  const list = (Array.isArray(json) ? json : [json]) as RawSample[];
  return list.map((raw, number) => {
    const sessions: SampleTurn[][] = [];
    let last = 0;
    for (let n = 1; n <= 1000; n++) {
      const turns = raw.conversation[`session_${n}`] as RawTurn[] | undefined;
      const time = raw.conversation[`session_${n}_date_time`];
      if (!turns || turns.length === 0) continue;
      last = (typeof time === "string" ? sessionTime(time) : null) ?? last + 86_400_000;
      sessions.push(
        turns.map((turn, i) => ({
          id: turn.dia_id.replace(/:0+(?=\d)/, ":"),
          speaker: turn.speaker,
          text: [turn.text ?? "", turn.blip_caption ? `(shares a photo: ${turn.blip_caption})` : ""].join(" ").trim(),
          at: last + i * 20_000,
        })),
      );
    }
    const turns = sessions.flat();
    const known = new Set(turns.map((turn) => turn.id));
    const questions = raw.qa
      .map((qa) => ({
        text: qa.question,
        category: qa.category,
        evidence: evidenceIds(qa.evidence).filter((id) => known.has(id)),
      }))
      .filter((question) => question.evidence.length > 0);
    return { id: raw.sample_id ?? `conversation-${number + 1}`, sessions, turns, questions };
  });
}
