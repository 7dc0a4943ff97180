/** The headline of the privacy screen, computed from the ledger. */
import type { PurposeState } from "../contract/index.ts";
import type { Ledger } from "./ledger.ts";
import { PURPOSES } from "./purposes.ts";
import type { Overview } from "./types.ts";

export function overviewOf(ledger: Ledger, purposes: PurposeState[], cut: boolean): Overview {
  const total = ledger.totalOf(null);
  const today = ledger.requestsToday();
  const requestsToday = today.reduce((sum, { requests }) => sum + requests, 0);
  return {
    ...words(
      total.requests,
      requestsToday,
      today.map(({ purpose }) => PURPOSES[purpose].forWhat),
    ),
    requestsEver: total.requests,
    requestsToday,
    bytesUp: total.bytesUp,
    bytesDown: total.bytesDown,
    cut,
    purposes,
  };
}

function words(ever: number, today: number, forWhat: readonly string[]): { headline: string; detail: string } {
  if (ever === 0) {
    return {
      headline: "Nothing has left this machine",
      detail:
        "Credence has made no network request yet. If it ever makes one, it appears here before it is sent: to whom, what for, and who agreed.",
    };
  }
  const detail = "Each request is written down here before it is sent, and serves a purpose that you agreed to.";
  if (today === 0) return { headline: `No requests today, ${count(ever, "request")} ever`, detail };
  const purpose = forWhat.length === 1 ? `, ${today === 1 ? "" : "all "}for ${forWhat[0]}` : `, for ${list(forWhat)}`;
  return { headline: `${capital(count(today, "request"))} today${purpose}`, detail };
}

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function count(n: number, noun: string): string {
  return `${SMALL[n] ?? n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
