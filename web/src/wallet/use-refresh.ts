// Asks again from time to time, while something on the page is under way and the page is seen.
import { useEffect, useRef } from 'react';

const EVERY_MS = 5000;

export function useRefresh(again: () => void, isNeeded: boolean): void {
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isNeeded]);
}
