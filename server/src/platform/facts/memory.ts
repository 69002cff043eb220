// What this process remembers of facts that are asked for again and again: rights, channels, settings. A remembered fact
// may be out of date, so nothing is decided by it alone: a write that relied on some checks in its own statement that
// they still hold (decision 0089), and a refusal is decided again by the database.
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** A person's id, or one of these. The triggers of migration 0097 write the same numbers. */
export const ABOUT = { everybody: 0, alertWords: -1 } as const;

/** What a decision relied on: it holds if nothing about these has changed since these snapshots. */
export interface Basis {
  readonly about: readonly number[];
  readonly snapshots: readonly string[];
}

interface Entry extends Basis {
  readonly value: unknown;
  readonly readAtMs: number;
}

export interface FactMemoryOptions {
  /** The least recently used go first. An entry is a few hundred bytes, so this is about 20 MB. */
  readonly entriesMax?: number;
  /** Far below the ten minutes for which the database knows of changes. */
  readonly ageMaxMs?: number;
  readonly nowMs?: () => number;
}

const ENTRIES_MAX = 20_000;
const AGE_MAX_MS = 60_000;

/** One decision that relies on remembered facts. `db` reads like the database, except where a feature calls `remembered`. */
export interface FactReader {
  readonly db: Db;
  basis(): Basis;
  /** Forgets everything that this decision relied on, because it no longer holds. */
  forget(): void;
}

export interface FactMemory {
  /** A reader that reads from `db` what is not remembered. */
  reader(db: Db): FactReader;
  readonly size: number;
}

const readers = new WeakMap<Db, Reader>();

/**
 * What `load` returns, from memory if `db` belongs to a reader of facts and it is there. Name in `about` everything of
 * which a change could change the value: the triggers in the database note changes under the same numbers. The value
 * is shared, so nobody may change it.
 */
export function remembered<T>(
  db: Db,
  key: string,
  about: readonly number[],
  load: () => Promise<T>,
): Promise<T> {
  const reader = readers.get(db);
  return reader === undefined ? load() : reader.read(key, about, load);
}

export function createFactMemory({
  entriesMax = ENTRIES_MAX,
  ageMaxMs = AGE_MAX_MS,
  nowMs = () => performance.now(),
}: FactMemoryOptions = {}): FactMemory {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  const store: Store = {
    take(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (nowMs() - entry.readAtMs > ageMaxMs) return undefined;
      entries.set(key, entry);
      return entry;
    },
    put(key, entry) {
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break;
        entries.delete(oldest);
      }
    },
    drop: (key) => void entries.delete(key),
    nowMs,
  };
  return {
    reader(from) {
      // Another handle on the same connections, so that the decision can be told by it.
      const db = from.withTables();
      const reader = new Reader(db, store);
      readers.set(db, reader);
      return reader;
    },
    get size() {
      return entries.size;
    },
  };
}

interface Store {
  take(key: string): Entry | undefined;
  put(key: string, entry: Entry): void;
  drop(key: string): void;
  nowMs(): number;
}

class Reader implements FactReader {
  readonly db: Db;
  readonly #store: Store;
  readonly #about = new Set<number>();
  readonly #snapshots = new Set<string>();
  readonly #keys = new Set<string>();
  #oldestMs = Number.POSITIVE_INFINITY;
  /** Taken before the first fact is read, and good for all later ones: an older snapshot only forgets too early. */
  #own: Promise<string> | undefined;

  constructor(db: Db, store: Store) {
    this.db = db;
    this.#store = store;
  }

  async read<T>(key: string, about: readonly number[], load: () => Promise<T>): Promise<T> {
    this.#keys.add(key);
    const known = this.#store.take(key);
    if (known !== undefined) {
      this.#rely(known);
      return known.value as T;
    }
    this.#own ??= takeSnapshot(this.db);
    this.#rely({ about, snapshots: [await this.#own], readAtMs: this.#store.nowMs() });
    const value = await load();
    // What was loaded may rest on what was read before, so it is as old as the oldest of that.
    this.#store.put(key, { value, ...this.basis(), readAtMs: this.#oldestMs });
    return value;
  }

  basis(): Basis {
    return { about: [...this.#about], snapshots: [...this.#snapshots] };
  }

  forget(): void {
    for (const key of this.#keys) this.#store.drop(key);
  }

  #rely({ about, snapshots, readAtMs }: Omit<Entry, 'value'>): void {
    this.#oldestMs = Math.min(this.#oldestMs, readAtMs);
    for (const one of about) this.#about.add(one);
    for (const one of snapshots) this.#snapshots.add(one);
  }
}

async function takeSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    SELECT pg_current_snapshot()::text AS snapshot`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('PostgreSQL returned no snapshot.');
  return row.snapshot;
}
