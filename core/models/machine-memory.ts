/** Main memory as this process may use it, containers' limits included. */
import { freemem, totalmem } from "node:os";

interface MemoryAwareProcess {
  constrainedMemory?(): number;
  availableMemory?(): number;
}

export function mainMemory(): { totalBytes: number; freeBytes: number } {
  const self = process as MemoryAwareProcess;
  const limit = self.constrainedMemory?.() ?? 0;
  const totalBytes = limit > 0 && limit < totalmem() ? limit : totalmem();
  const available = self.availableMemory?.() ?? 0;
  const freeBytes = Math.min(totalBytes, available > 0 ? Math.min(available, freemem() || available) : freemem());
  return { totalBytes, freeBytes };
}
