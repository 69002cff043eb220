import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { AskedCache, type Asked, type Fetcher } from './cache.ts';

/** Of this page. Signing out loads another one, so nothing of one person is shown to the next. */
const cache = new AskedCache();

export interface Asking<T> {
  readonly asked: Asked<T>;
  readonly again: () => void;
  /** Puts the result of an act in place without asking. */
  readonly set: (change: (value: T) => T) => void;
}

/**
 * Asks once for each `key`, when the component appears. The key says all that the answer depends on; the fetcher of the
 * first component with a key is the one that is used.
 */
export function useAsked<T>(key: string, fetcher: Fetcher<T>): Asking<T> {
  // The key stands for the fetcher, which is another function at every drawing.
  const subscribe = useCallback(
    (listener: () => void) => cache.observe(key, fetcher, listener),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [key],
  );
  const asked = useSyncExternalStore(subscribe, () => cache.read<T>(key));
  return useMemo(
    () => ({
      asked,
      again: () => cache.ask(key, fetcher),
      set: (change) => cache.set(key, change),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [asked, key],
  );
}
