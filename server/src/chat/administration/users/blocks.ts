// Texts that are the same for many readers, remembered in blocks of ids, such as the rows of people. A block is good for
// a reader's snapshot if nothing in it has changed between the snapshot that it was read in and the reader's. Pure: the
// caller reads from the database what has changed.
import { isVisibleIn, seesAllOf, type DatabaseSnapshot } from '../../../platform/db/snapshot.ts';

/** A change of the row `id` by a transaction. */
export interface Change {
  readonly id: number;
  readonly xid: bigint;
}

/** How many ids are in a block. A changed row costs reading its block again. */
export const BLOCK_IDS = 256;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_IDS);

/** The first id of a block. */
export const firstIdOf = (block: number): number => block * BLOCK_IDS;

interface Entry<T> {
  /** The snapshot that it was read in. */
  readonly since: DatabaseSnapshot;
  /** The newest snapshot for which nothing in it had changed. */
  until: DatabaseSnapshot;
  readonly value: T;
  readonly size: number;
}

export class Blocks<T> {
  readonly #entries = new Map<number, Entry<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Changes before this transaction cannot matter; undefined if nothing is remembered. */
  oldest(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const { until } of this.#entries.values()) {
      if (oldest === undefined || until.xmin < oldest) oldest = until.xmin;
    }
    return oldest;
  }

  /**
   * The blocks that are good for `now`. `changes` are all that `now` sees, from `oldest()` on, except those of transactions
   * before `floor`, which are forgotten.
   */
  take(now: DatabaseSnapshot, changes: readonly Change[], floor: bigint): ReadonlyMap<number, T> {
    const changed = Map.groupBy(changes, ({ id }) => blockOf(id));
    const good = new Map<number, T>();
    for (const [block, entry] of this.#entries) {
      const { since, until, value } = entry;
      if (until.xmin < floor) {
        this.#drop(block);
      } else if (changed.get(block)?.some(({ xid }) => !isVisibleIn(until, xid)) === true) {
        // A reader of an older snapshot may still come; it reads the block itself.
        this.#drop(block);
      } else if (seesAllOf(now, since)) {
        good.set(block, value);
        if (seesAllOf(now, until)) entry.until = now;
      }
    }
    return good;
  }

  /** Remembers what was read in the snapshot `now`, unless there is something newer. */
  put(block: number, value: T, size: number, now: DatabaseSnapshot): void {
    const known = this.#entries.get(block);
    if (known !== undefined && !seesAllOf(now, known.since)) return;
    this.#drop(block);
    this.#entries.set(block, { since: now, until: now, value, size });
    this.#size += size;
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #drop(block: number): void {
    this.#size -= this.#entries.get(block)?.size ?? 0;
    this.#entries.delete(block);
  }
}
