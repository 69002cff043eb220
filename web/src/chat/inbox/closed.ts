// Which groups of the inbox are closed; this browser remembers it.
import { useCallback, useState } from 'react';

export const CLOSED_KEY = 'inbox.closed';
/** Groups that came and went would fill the storage otherwise; the longest closed are forgotten. */
const CLOSED_MAX = 200;

export function useClosed(): [ReadonlySet<string>, (key: string) => void] {
  const [closed, setClosed] = useState(readClosed);
  const toggle = useCallback((key: string) => {
    setClosed((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      const kept = [...after].slice(-CLOSED_MAX);
      storeClosed(kept);
      return new Set(kept);
    });
  }, []);
  return [closed, toggle];
}

/** A browser may refuse its storage; then all groups are open. */
function readClosed(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(CLOSED_KEY) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set();
  }
}

function storeClosed(keys: readonly string[]): void {
  try {
    localStorage.setItem(CLOSED_KEY, JSON.stringify(keys));
  } catch {
    // Remembering is a comfort; without room for it the groups stay as they are until a reload.
  }
}
