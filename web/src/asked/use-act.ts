import { useCallback, useRef, useState } from 'react';

export interface Act<A extends readonly unknown[], R> {
  /** Does nothing while the last one still runs: two clicks are one act. Undefined if it failed. */
  readonly run: (...given: A) => Promise<R | undefined>;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly forget: () => void;
}

/** An act on the server that a button begins: whether it runs, and how it failed. */
export function useAct<A extends readonly unknown[], R>(
  act: (...given: A) => Promise<R>,
): Act<A, R> {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef(false);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...given: A): Promise<R | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setRunning(true);
    setError(undefined);
    try {
      return await latest.current(...given);
    } catch (thrown) {
      setError(thrown);
      return undefined;
    } finally {
      running.current = false;
      setRunning(false);
    }
  }, []);
  const forget = useCallback(() => setError(undefined), []);
  return { run, isRunning, error, forget };
}
