// Replays the journal from any of its rows, for code that rebuilds something from it.
import type pg from 'pg';
import type { Log } from '../../platform/observe/log.ts';
import { Machine } from './machine.ts';
import { firstConfig, restoreSnapshot } from './recover.ts';
import { listSnapshots } from './snapshot-store.ts';
import type { Archive } from './journal/archive.ts';
import { readJournal } from './journal/rows.ts';
import { readHead } from './store.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** Rows that are read at once: few, because each holds up to some thousand commands. */
const PAGE = 16;

/** The last row of the journal. */
export const readJournalHead = async (db: Queryable, shard: number): Promise<number> =>
  (await readHead(db, shard)).seq;

export interface MachineOptions {
  readonly log: Log;
  /** For rows that have left the table. */
  readonly archive: Archive;
}

/** A machine that has applied the journal through exactly this row. */
export async function machineAt(
  db: Queryable,
  shard: number,
  seq: number,
  { log, archive }: MachineOptions,
): Promise<Machine> {
  let machine: Machine | undefined;
  for (const head of await listSnapshots(db, shard)) {
    if (head.seq > seq) continue;
    machine = await restoreSnapshot(db, shard, head);
    if (machine !== undefined) break;
    log.error({ shard, seq: head.seq }, 'A snapshot does not have the hash it was written with.');
  }
  machine ??= Machine.empty(firstConfig(shard));
  while (machine.seq < seq) {
    await replayRows(db, machine, { through: seq, archive }, () => true);
  }
  return machine;
}

export interface Stretch {
  readonly through: number;
  readonly archive: Archive;
}

/**
 * Replays the next rows of the journal up to `through`, at most a page, for as long as `onRow`
 * returns true; it gets the row's outcomes as members of a JSON object.
 */
export async function replayRows(
  db: Queryable,
  machine: Machine,
  { through, archive }: Stretch,
  onRow: (packed: () => string) => boolean,
): Promise<void> {
  const { shard, seq } = machine;
  const limit = Math.min(PAGE, through - seq);
  for (const row of await readJournal(db, { shard, seq, limit }, archive)) {
    machine.replay(row);
    if (!onRow(() => machine.packReplayed())) return;
  }
}
