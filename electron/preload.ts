import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { BridgeEvent, CallOutcome } from "../core/contract/bridge.ts";

const listeners = new Set<(event: BridgeEvent) => void>();

ipcRenderer.on("credence:event", (_sender, event: BridgeEvent) => {
  for (const listener of [...listeners]) listener(event);
});

// Only plain functions cross: the page never sees `ipcRenderer`, an event's sender, or a channel's name.
contextBridge.exposeInMainWorld("credence", {
  async call(method: unknown, params: unknown): Promise<unknown> {
    const outcome = (await ipcRenderer.invoke("credence:call", method, params)) as CallOutcome;
    if (outcome.ok) return outcome.value;
    throw outcome.error;
  },
  on(listener: (event: BridgeEvent) => void): () => void {
    const own = (event: BridgeEvent) => listener(event);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  },
  platform: process.platform,
  pathForFile: (file: File): string => webUtils.getPathForFile(file),
});
