// Intents on disk, one key each, so that a reload finds what it interrupted. They belong to a person and go when the person
// signs out.
import type { Intent } from './machine.ts';

const prefixOf = (userId: number): string => `rialto:trade:${userId}:`;

export interface IntentStorage {
  readonly load: () => readonly Intent[];
  readonly save: (intent: Intent) => void;
  readonly remove: (id: string) => void;
}

/** Older ones are of no use: what became of them is in the history. */
const KEPT_MS = 24 * 3600 * 1000;
const KEPT_MAX = 50;

export function createIntentStorage(
  storage: Storage,
  userId: number,
  nowMs: () => number = Date.now,
): IntentStorage {
  const prefix = `${prefixOf(userId)}intent:`;
  return {
    load() {
      const found: Intent[] = [];
      for (const key of keysOf(storage, prefix)) {
        const intent = read(storage, key);
        if (intent === undefined || nowMs() - intent.clickedMs > KEPT_MS) storage.removeItem(key);
        else found.push(intent);
      }
      return found.sort((a, b) => b.clickedMs - a.clickedMs).slice(0, KEPT_MAX);
    },
    save(intent) {
      try {
        storage.setItem(prefix + intent.id, JSON.stringify(intent));
      } catch {
        // Without room on disk the order is still safe: only a reload would not find it.
      }
    },
    remove: (id) => storage.removeItem(prefix + id),
  };
}

function read(storage: Storage, key: string): Intent | undefined {
  try {
    const value = JSON.parse(storage.getItem(key) ?? '') as Partial<Intent> | null;
    const isWhole = typeof value?.id === 'string' && value.placement !== undefined;
    return isWhole && typeof value.clickedMs === 'number' ? (value as Intent) : undefined;
  } catch {
    return undefined;
  }
}

function keysOf(storage: Storage, prefix: string): readonly string[] {
  const keys = Array.from({ length: storage.length }, (_value, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(prefix));
}

/** Everything of a person that trading put on this disk. */
export function wipeTrade(storage: Storage, userId: number): void {
  for (const key of keysOf(storage, prefixOf(userId))) storage.removeItem(key);
}
