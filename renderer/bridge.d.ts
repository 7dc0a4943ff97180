import type { CredenceBridge } from "../core/contract/bridge.ts";

declare global {
  interface Window {
    readonly credence: CredenceBridge;
  }
}
