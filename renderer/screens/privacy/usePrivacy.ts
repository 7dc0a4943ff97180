import { useState } from "react";
import type { EgressPurpose, LedgerEntry } from "../../../core/contract/index.ts";
import { call } from "../../hooks/bridge.ts";
import { useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

export function usePrivacy() {
  const overview = useCall("privacy.overview", {});
  useEvent("privacy.changed", overview.reload);
  return overview;
}

const PAGE = 100;

/** The ledger, newest first, older pages on demand. */
export function useLedger(purpose: EgressPurpose | null) {
  const filter = purpose === null ? {} : { purpose };
  const newest = useCall("privacy.ledger", { ...filter, limit: PAGE });
  const [older, setOlder] = useState<{
    purpose: EgressPurpose | null;
    entries: readonly LedgerEntry[];
    hasOlder: boolean;
  } | null>(null);
  useEvent("privacy.changed", newest.reload);
  const mine = older?.purpose === purpose ? older : null;
  const entries = [...(newest.data?.entries ?? []), ...(mine?.entries ?? [])].filter(
    (entry, i, all) => all.findIndex((other) => other.id === entry.id) === i,
  );
  return {
    entries,
    loading: newest.loading,
    problem: newest.problem,
    reload: newest.reload,
    hasOlder: mine ? mine.hasOlder : (newest.data?.hasOlder ?? false),
    more() {
      const before = entries.at(-1)?.id ?? null;
      void call("privacy.ledger", { ...filter, before, limit: PAGE }).then(
        (page) => setOlder({ purpose, entries: [...(mine?.entries ?? []), ...page.entries], hasOlder: page.hasOlder }),
        () => {},
      );
    },
  };
}
