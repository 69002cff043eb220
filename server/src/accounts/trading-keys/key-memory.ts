// Keys that have just signed something, so that the next request does not read its key again. A remembered key may be out
// of date, so nothing is decided by it alone: the statement that claims the signature checks its version, and a refusal
// is decided again by the database.
import type { ReadKey } from './store.ts';

export interface KeyMemory {
  find(keyId: string): ReadKey | undefined;
  /** For keys that may act, and whose holder has just signed. So nobody else can fill this memory. */
  remember(key: ReadKey): void;
  forget(keyId: string): void;
  readonly size: number;
}

export interface KeyMemoryOptions {
  /** The first ones go first. An entry is about a kilobyte. */
  readonly keysMax?: number;
  readonly ageMaxMs?: number;
  readonly nowMs?: () => number;
}

const KEYS_MAX = 10_000;
/** Versions are numbers of transactions, which return after four thousand million. */
const AGE_MAX_MS = 60_000;

export function createKeyMemory({
  keysMax = KEYS_MAX,
  ageMaxMs = AGE_MAX_MS,
  nowMs = () => performance.now(),
}: KeyMemoryOptions = {}): KeyMemory {
  const kept = new Map<string, { readonly key: ReadKey; readonly readAtMs: number }>();
  return {
    find(keyId) {
      const entry = kept.get(keyId);
      if (entry === undefined) return undefined;
      if (nowMs() - entry.readAtMs <= ageMaxMs) return entry.key;
      kept.delete(keyId);
      return undefined;
    },
    remember(key) {
      kept.delete(key.keyId);
      kept.set(key.keyId, { key, readAtMs: nowMs() });
      for (const oldest of kept.keys()) {
        if (kept.size <= keysMax) break;
        kept.delete(oldest);
      }
    },
    forget: (keyId) => void kept.delete(keyId),
    get size() {
      return kept.size;
    },
  };
}
