// Since when the book on the screen is not the market's any more.
import { useEffect, useState } from 'react';
import type { MarketFeed } from '../venue/market-feed.ts';
import { useFreshness } from '../venue/react.ts';

/** A book that had to be asked for again is there within this, and nobody needs to know. */
const PATIENCE_MS = 1000;

/** Undefined while it can be believed, and before the first one has come. */
export function useStaleSince({ book, onBook }: MarketFeed): number | undefined {
  const freshness = useFreshness();
  const [brokenMs, setBrokenMs] = useState<number>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (book.isCurrent || book.updateId === '') return setBrokenMs(undefined);
      const since = Date.now();
      timer = setTimeout(() => setBrokenMs((known) => known ?? since), PATIENCE_MS);
    };
    const leave = onBook(look);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [book, onBook]);
  return freshness.kind === 'paused' ? freshness.sinceMs : brokenMs;
}
