import type { Handlers } from "../contract/index.ts";
import type { Egress } from "./types.ts";

/** The privacy screen's methods. */
export function privacyHandlers(egress: Egress): Pick<Handlers, `privacy.${string}` & keyof Handlers> {
  return {
    "privacy.overview": () => egress.overview(),
    "privacy.setPurpose": ({ purpose, allowed }) => egress.setAllowed(purpose, allowed),
    "privacy.cut": ({ cut }) => {
      egress.setCut(cut);
      return { cut: egress.cut() };
    },
    "privacy.ledger": (page) => egress.ledger(page),
    "privacy.totals": ({ by, limit }) => egress.totals(by, limit),
  };
}
