import { useCallback, useEffect, useRef, useState } from "react";
import {
  asProblem,
  type BridgeError,
  type BridgeMethod,
  type BridgeParams,
  type BridgeResult,
  call,
} from "./bridge.ts";

export interface CallState<Value> {
  /** The newest result; kept while a reload runs, so that nothing flickers. */
  readonly data: Value | undefined;
  readonly problem: BridgeError | undefined;
  /** True until the first result or problem. */
  readonly loading: boolean;
  reload(): void;
  /** Puts a value in place before the core confirms it. */
  set(change: (value: Value | undefined) => Value | undefined): void;
}

/**
 * Calls a method and again whenever its parameters change. A late answer to older parameters is dropped.
 * `params: null` waits: nothing is called and nothing is loading.
 */
export function useCall<Name extends BridgeMethod>(
  method: Name,
  params: BridgeParams<Name> | null,
): CallState<BridgeResult<Name>> {
  const key = params === null ? null : JSON.stringify(params);
  const [state, setState] = useState<{ data?: BridgeResult<Name>; problem?: BridgeError; settled: boolean }>({
    settled: false,
  });
  const [round, setRound] = useState(0);
  const lastKey = useRef(key);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for params, `round` asks again
  useEffect(() => {
    if (key === null || params === null) return;
    let current = true;
    const changed = lastKey.current !== key;
    lastKey.current = key;
    if (changed) setState({ settled: false });
    call(method, params).then(
      (data) => current && setState({ data, settled: true }),
      (thrown) => current && setState((before) => ({ ...before, problem: asProblem(thrown), settled: true })),
    );
    return () => {
      current = false;
    };
  }, [method, key, round]);

  const reload = useCallback(() => setRound((n) => n + 1), []);
  const set = useCallback(
    (change: (value: BridgeResult<Name> | undefined) => BridgeResult<Name> | undefined) =>
      setState((before) => ({ ...before, data: change(before.data) })),
    [],
  );
  return {
    data: state.data,
    problem: state.problem,
    loading: key !== null && !state.settled,
    reload,
    set,
  };
}
