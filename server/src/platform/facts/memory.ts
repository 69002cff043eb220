// What this process remembers of facts that are asked for again and again: rights, channels, settings. A remembered fact
// may be out of date, so nothing is decided by it alone: a statement that relied on some checks that they still hold
// (decision 0089), and a refusal is decided again by the database.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';

/** A person's id, or one of these. The triggers of migrations 0097 and 0145 write the same numbers. */
export const ABOUT = { everybody: 0, alertWords: -1, names: -2 } as const;

/** What a decision relied on, in pairs: it holds if nothing about `about[i]` has changed since `snapshots[i]`. */
export interface Basis {
  readonly about: readonly number[];
  readonly snapshots: readonly string[];
}

/** `about`, all read in one snapshot. */
export const readIn = (snapshot: string, about: readonly number[]): Basis => ({
  about,
  snapshots: about.map(() => snapshot),
});

/** What both relied on. */
export function unite(...bases: readonly Basis[]): Basis {
  const pairs = new Map<string, readonly [number, string]>();
  for (const { about, snapshots } of bases) {
    for (const [n, one] of about.entries()) {
      const snapshot = snapshots[n];
      if (snapshot === undefined) throw new Error('A basis must have a snapshot for each fact.');
      pairs.set(`${one} ${snapshot}`, [one, snapshot]);
    }
  }
  const all = [...pairs.values()];
  return { about: all.map(([one]) => one), snapshots: all.map(([, snapshot]) => snapshot) };
}

/** Of what was read from the database. */
export const NO_BASIS: Basis = { about: [], snapshots: [] };

interface Entry extends Basis {
  readonly value: unknown;
  readonly readAtMs: number;
}

export interface FactMemoryOptions {
  /**
   * The most that is remembered: a fact counts one, and a list one more for each of its rows. Each is a few hundred
   * bytes, so this is about 20 MB. The least recently used go first.
   */
  readonly weightMax?: number;
  /** Far below the ten minutes for which the database knows of changes. */
  readonly ageMaxMs?: number;
  readonly nowMs?: () => number;
}

const WEIGHT_MAX = 40_000;
/** A longer list is read each time, so that a few of them do not drive out everything else. */
const SHARE_MAX = 1 / 40;
/** Longer than a client that hears nothing waits between two polls. */
const AGE_MAX_MS = 240_000;

/** One decision that relies on remembered facts. `db` reads like the database, except where a feature calls `remembered`. */
export interface FactReader {
  readonly db: Db;
  /** Whether anything is remembered. If not, there is nothing to check, so nothing that was read before may be relied on. */
  readonly isMemory: boolean;
  basis(): Basis;
  /** Forgets everything that this decision relied on, because it no longer holds. */
  forget(): void;
}

export interface FactMemory {
  /** A reader that reads from `db` what is not remembered. */
  reader(db: Db): FactReader;
  /** For what is read in a way of its own, outside a reader. */
  find<T>(key: string): Found<T> | undefined;
  keep(key: string, found: Found<unknown>): void;
  forget(key: string): void;
  /**
   * To be called before a decision that does not rely on this memory. It makes sure that the caller, if remembered, is
   * still who they were, and otherwise throws `FactsChanged`.
   */
  confirm(): Promise<void>;
  readonly size: number;
}

export interface Found<T> {
  readonly value: T;
  readonly basis: Basis;
}

const readers = new WeakMap<Db, Reader>();

/** Everything of which a change could change the value, or how to tell that from the value. */
export type About<T> = readonly number[] | ((value: T) => readonly number[]);

/**
 * What `load` returns, from memory if `db` belongs to a reader of facts and it is there. The triggers in the database note
 * changes under the same numbers as `about`. The value is shared, so nobody may change it. `undefined` is not kept.
 */
export function remembered<T>(
  db: Db,
  key: string,
  about: About<T>,
  load: () => Promise<T>,
): Promise<T> {
  const reader = readers.get(db);
  return reader === undefined ? load() : reader.read(key, about, load);
}

export function createFactMemory({
  weightMax = WEIGHT_MAX,
  ageMaxMs = AGE_MAX_MS,
  nowMs = () => performance.now(),
}: FactMemoryOptions = {}): FactMemory {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  let weight = 0;
  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    weight -= weigh(entry);
  }
  const store: Store = {
    take(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (nowMs() - entry.readAtMs > ageMaxMs) {
        drop(key);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    put(key, entry) {
      drop(key);
      if (weigh(entry) > Math.max(1, weightMax * SHARE_MAX)) return;
      entries.set(key, entry);
      weight += weigh(entry);
      for (const oldest of entries.keys()) {
        if (weight <= weightMax) break;
        drop(oldest);
      }
    },
    drop,
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
    find(key) {
      const entry = store.take(key);
      return entry && { value: entry.value as never, basis: entry };
    },
    keep: (key, { value, basis: { about, snapshots } }) =>
      store.put(key, { value, about, snapshots, readAtMs: nowMs() }),
    forget: drop,
    confirm: async () => {},
    get size() {
      return entries.size;
    },
  };
}

const weigh = ({ value }: Entry): number => (Array.isArray(value) ? 1 + value.length : 1);

interface Store {
  take(key: string): Entry | undefined;
  put(key: string, entry: Entry): void;
  drop(key: string): void;
  nowMs(): number;
}

class Reader implements FactReader {
  readonly db: Db;
  readonly isMemory = true;
  readonly #store: Store;
  #basis = NO_BASIS;
  readonly #keys = new Set<string>();
  #oldestMs = Number.POSITIVE_INFINITY;
  /** Taken before the first fact is read, and good for all later ones: an older snapshot only forgets too early. */
  #own: Promise<string> | undefined;

  constructor(db: Db, store: Store) {
    this.db = db;
    this.#store = store;
  }

  async read<T>(key: string, about: About<T>, load: () => Promise<T>): Promise<T> {
    this.#keys.add(key);
    const known = this.#store.take(key);
    if (known !== undefined) {
      this.#rely(known);
      return known.value as T;
    }
    this.#own ??= takeSnapshot(this.db);
    const snapshot = await this.#own;
    const readAtMs = this.#store.nowMs();
    if (typeof about !== 'function') this.#rely({ ...readIn(snapshot, about), readAtMs });
    const value = await load();
    if (typeof about === 'function') this.#rely({ ...readIn(snapshot, about(value)), readAtMs });
    // What was loaded may rest on what was read before, so it is as old as the oldest of that.
    if (value !== undefined) {
      this.#store.put(key, { value, ...this.basis(), readAtMs: this.#oldestMs });
    }
    return value;
  }

  basis(): Basis {
    return this.#basis;
  }

  forget(): void {
    for (const key of this.#keys) this.#store.drop(key);
  }

  #rely(found: Omit<Entry, 'value'>): void {
    this.#oldestMs = Math.min(this.#oldestMs, found.readAtMs);
    this.#basis = unite(this.#basis, found);
  }
}

/** Whether what was relied on still holds, as the statement sees it that this stands in. */
export const holds = ({ about, snapshots }: Basis): RawBuilder<boolean> =>
  snapshots.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(NOT EXISTS (
        SELECT FROM unnest(${about}::int[], ${snapshots}::text[]::pg_snapshot[]) AS relied (about, seen)
         -- One look at the index for each, however many changes there are.
         CROSS JOIN LATERAL (
           SELECT FROM fact_changes AS change
            WHERE change.about = relied.about AND change.xid >= pg_snapshot_xmin(relied.seen)
              AND NOT pg_visible_in_snapshot(change.xid, relied.seen) LIMIT 1) AS news)
      AND NOT EXISTS (
        SELECT FROM fact_floor AS lowest, unnest(${snapshots}::text[]::pg_snapshot[]) AS seen
         WHERE pg_snapshot_xmin(seen) < lowest.xid))`;

/** Thrown by a read that finds that what it relied on no longer holds. */
export class FactsChanged extends Error {}

/** A decision that reads everything from the database. */
const withoutMemory = (db: Db): FactReader => ({
  db,
  isMemory: false,
  basis: () => NO_BASIS,
  forget: () => {},
});

/**
 * Reads by what is remembered. If that no longer holds, or if the read is refused, it is done again by the database.
 * `read` must check `holds` in the statement that reads what it shows, and rely on no fact that it reads after it.
 */
export async function readByMemory<T>(
  memory: FactMemory,
  db: Db,
  read: (facts: FactReader) => Promise<T>,
): Promise<T> {
  const facts = memory.reader(db);
  try {
    return await read(facts);
  } catch (error) {
    if (error instanceof FactsChanged) facts.forget();
    else if (!(error instanceof Refusal)) throw error;
  }
  await memory.confirm();
  return read(withoutMemory(db));
}

async function takeSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    SELECT pg_current_snapshot()::text AS snapshot`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('PostgreSQL returned no snapshot.');
  return row.snapshot;
}
