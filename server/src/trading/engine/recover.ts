// From disk to memory: loads the newest valid snapshot, then the journal's rows after it.
import { createHash } from 'node:crypto';
import { DEFAULT_SWEEP_STEP, assertKnownVersion, type CoreConfig } from '@rialto/matching';
import type pg from 'pg';
import type { Log } from '../../platform/observe/log.ts';
import { Machine } from './machine.ts';
import { hashSnapshot, listSnapshots, readSnapshot, type SnapshotHead } from './snapshot-store.ts';
import type { Archive } from './journal/archive.ts';
import { readJournal } from './journal/rows.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Rows per page: a row holds up to a few thousand commands. */
const PAGE = 64;

export const hashBytes = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * How every shard begins. Never changed: a journal replays from here, and what differs is in it.
 */
export const firstConfig = (shard: number): CoreConfig => ({
  shard,
  memory: 1_000_000,
  capacity: 65_536,
  rules: 1,
  sweepStep: DEFAULT_SWEEP_STEP,
});

/** A machine at the end of the journal. Without an archive it needs a whole snapshot if the first rows have left the table. */
export async function recover(
  db: Queryable,
  config: CoreConfig,
  log: Log,
  archive?: Archive,
): Promise<Machine> {
  const machine = (await restoreNewest(db, config.shard, log)) ?? Machine.empty(config);
  await followJournal(db, machine, { archive });
  return machine;
}

async function restoreNewest(db: Queryable, shard: number, log: Log): Promise<Machine | undefined> {
  for (const head of await listSnapshots(db, shard)) {
    // A newer release wrote it, so this one must not continue its journal either.
    assertKnownVersion(`Snapshot ${head.seq} of shard ${shard}`, head.coreVersion);
    const machine = await restoreSnapshot(db, shard, head);
    if (machine !== undefined) return machine;
    log.error(
      { shard, seq: head.seq },
      'A snapshot does not have the hash it was written with; an older one is taken instead.',
    );
  }
  return undefined;
}

/** A machine as of the snapshot; undefined if its bytes are not those that were written. */
export async function restoreSnapshot(
  db: Queryable,
  shard: number,
  head: SnapshotHead,
): Promise<Machine | undefined> {
  const bytes = await readSnapshot(db, shard, head);
  if (bytes === undefined) return undefined;
  // Another thread computes the hash while this one restores. What comes of other bytes is dropped.
  const hashing = hashSnapshot(bytes);
  let machine: Machine | undefined;
  let failure: unknown;
  try {
    machine = Machine.restore(bytes, shard, head.seq, head.digest);
  } catch (error) {
    failure = error;
  }
  if (!(await hashing).equals(head.hash)) return undefined;
  if (machine === undefined) throw failure;
  return machine;
}

export interface FollowOptions {
  /** For rows that have left the table. */
  readonly archive?: Archive | undefined;
  onRow?(seq: number): void;
}

/**
 * Replays what the journal holds beyond the machine; returns the epoch of the last row, if there
 * was any.
 */
export async function followJournal(
  db: Queryable,
  machine: Machine,
  { archive, onRow }: FollowOptions = {},
): Promise<number | undefined> {
  let epoch: number | undefined;
  const read = (seq: number) =>
    readJournal(db, { shard: machine.shard, seq, limit: PAGE }, archive);
  let reading = read(machine.seq);
  for (;;) {
    const rows = await reading;
    const last = rows.at(-1);
    if (last !== undefined && rows.length === PAGE) {
      // The database fetches the next rows while these are replayed.
      reading = read(last.seq);
      // Awaited above; until then, or if a row cannot be replayed, its failure must not count as an
      // unhandled rejection.
      reading.catch(() => {});
    }
    for (const row of rows) {
      machine.replay(row);
      epoch = row.epoch;
      onRow?.(row.seq);
    }
    if (rows.length < PAGE) return epoch;
  }
}
