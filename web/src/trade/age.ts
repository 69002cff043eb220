import { useEffect, useState } from 'react';

/** Whole seconds since a moment, counted as long as it is given. */
export function useAge(sinceMs: number | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (sinceMs === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return sinceMs === undefined ? undefined : Math.max(0, Math.floor((now - sinceMs) / 1000));
}
