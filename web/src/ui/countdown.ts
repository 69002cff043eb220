import { useEffect, useState } from 'react';

/** Seconds until a moment (milliseconds since 1970), rounded up; 0 when it has passed or is not given. */
export function useCountdown(until: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  const left = until === undefined ? 0 : Math.max(0, until - now);
  useEffect(() => {
    if (left === 0) return;
    // The next whole second, so that no figure is skipped.
    const timer = setTimeout(() => setNow(Date.now()), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return Math.ceil(left / 1000);
}
