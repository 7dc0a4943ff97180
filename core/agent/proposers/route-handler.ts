import type { Handlers } from "../../contract/index.ts";
import type { Router } from "./router.ts";

/** What `credence route` and the window ask: where the answer to a message lies. */
export function routeHandlers(router: Router): Pick<Handlers, "tools.route"> {
  return {
    "tools.route": async ({ text }) => ({ ...(await router.route(text)), proposer: "harness" }),
  };
}
