import { bytes } from "../../format/numbers.ts";
import type { InstalledModel, Machine } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";

/** Shares of the machine's memory: the file, what its window adds, what is too much; the tick is what is free now. */
export function fitShares(model: InstalledModel, machine: Machine) {
  const total = Math.max(1, machine.memoryBytes);
  const share = (amount: number) => Math.max(0, Math.min(1, amount / total));
  const free = share(machine.freeMemoryBytes);
  const file = share(Math.min(model.sizeBytes, model.memoryBytes));
  const needs = share(model.memoryBytes);
  if (model.fits === "no") {
    const kept = Math.min(free, needs);
    return { file: kept, window: 0, over: Math.min(1 - kept, Math.max(needs - kept, 0.04)), free };
  }
  return { file: Math.max(file, 0.004), window: Math.max(needs - file, 0.004), over: 0, free };
}

const width = (share: number) => ({ width: `${(share * 100).toFixed(2)}%` });

export function FitBar({ model, machine }: { readonly model: InstalledModel; readonly machine: Machine }) {
  const shares = fitShares(model, machine);
  return (
    <div
      className="fit"
      role="img"
      aria-label={words.fitLabel(bytes(model.memoryBytes), bytes(machine.freeMemoryBytes))}
    >
      <i className="file" style={width(shares.file)} />
      {shares.window > 0 && <i className="window" style={width(shares.window)} />}
      {shares.over > 0 && <i className="over" style={width(shares.over)} />}
      <b style={{ left: `${(shares.free * 100).toFixed(2)}%` }} />
    </div>
  );
}
