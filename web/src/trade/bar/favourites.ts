// The markets that a person has starred; this browser remembers them for each person.
import { useCallback, useState } from 'react';

/** More than anybody follows; the oldest are forgotten. */
const KEPT_MAX = 200;

const keyOf = (personId: number | undefined): string =>
  `rialto:trade:favourites:${personId ?? 'guest'}`;

export function useFavourites(
  personId: number | undefined,
): [ReadonlySet<string>, (symbol: string) => void] {
  const key = keyOf(personId);
  const [stars, setStars] = useState(() => readStars(key));
  const toggle = useCallback(
    (symbol: string) => {
      setStars((before) => {
        const after = new Set(before);
        if (!after.delete(symbol)) after.add(symbol);
        const kept = [...after].slice(-KEPT_MAX);
        storeStars(key, kept);
        return new Set(kept);
      });
    },
    [key],
  );
  return [stars, toggle];
}

/** A browser may refuse its storage; then nothing is starred. */
function readStars(key: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []);
  } catch {
    return new Set();
  }
}

function storeStars(key: string, symbols: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(symbols));
  } catch {
    // Without room for them the stars last until a reload.
  }
}
