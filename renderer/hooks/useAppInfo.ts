import { createContext, useContext } from "react";
import type { BridgeResult } from "./bridge.ts";

export type AppInfo = BridgeResult<"app.info">;

export const AppInfoContext = createContext<AppInfo | null>(null);

/** Version, folder and whether the data is open read-only; null until known. */
export const useAppInfo = (): AppInfo | null => useContext(AppInfoContext);

/** Why nothing can be changed, or null when it can. */
export const useReadOnly = (): string | null => useContext(AppInfoContext)?.readOnly?.reason ?? null;
