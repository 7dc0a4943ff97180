import { useEffect, useState } from "react";

/** False for the first `ms` milliseconds after mounting, then true: what would only flash is not shown at all. */
export function useDelayed(ms: number): boolean {
  const [passed, setPassed] = useState(ms <= 0);
  useEffect(() => {
    if (ms <= 0) return;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}
