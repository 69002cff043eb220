// Something that is asked of the server when a page opens, and again when it has changed.
import { useCallback, useEffect, useState } from 'react';

export type Asked<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'there'; readonly value: T };

/** `ask` has to stay the same function as long as the question does. */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<T>): [Asked<T>, () => void] {
  const [answer, setAnswer] = useState<Asked<T>>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    ask(stop.signal)
      .then((value) => {
        if (!stop.signal.aborted) setAnswer({ kind: 'there', value });
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setAnswer({ kind: 'failed', error });
      });
    return () => stop.abort();
  }, [ask, round]);
  return [answer, useCallback(() => setRound((now) => now + 1), [])];
}
