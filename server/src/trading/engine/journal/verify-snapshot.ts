// Proves that the venue can go on from a snapshot alone: its state is what the journal says, and the rows after it follow.
import { findFaults, stateHash } from '@rialto/matching';
import type { Log } from '../../../platform/observe/log.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { Machine } from '../machine.ts';
import { firstConfig, followJournal, restoreSnapshot } from '../recover.ts';
import { replayRows } from '../replay.ts';
import { listSnapshots } from '../snapshot-store.ts';
import type { Queryable } from '../statements.ts';
import { readRows } from '../access.ts';
import type { Archive } from './archive.ts';

export interface Proof {
  /** The row of the snapshot that was proven, and is kept from now on. */
  readonly seq: number;
  /** No row after this one may leave the table: a start from the snapshot before would need it. */
  readonly limit: number;
}

/** Snapshots are replaced while this works; then the next ones are taken. */
const TRIES = 5;

export async function verifySnapshot(
  db: Queryable,
  shard: number,
  options: { readonly log: Log; readonly archive: Archive },
): Promise<Proof> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const proof = await tryNewest(db, shard, options);
    if (proof !== undefined) return proof;
  }
  throw new Refusal({
    code: 'SNAPSHOTS_MOVE',
    status: 409,
    message:
      'Each snapshot was replaced before it was verified. Try again when the venue is quieter, or with a greater ENGINE_SNAPSHOT_COMMANDS.',
  });
}

/** Undefined: it was replaced meanwhile. */
async function tryNewest(
  db: Queryable,
  shard: number,
  { log, archive }: { readonly log: Log; readonly archive: Archive },
): Promise<Proof | undefined> {
  const [newest, before] = await listSnapshots(db, shard);
  if (newest === undefined) {
    throw unproven('There is no snapshot yet. An orderly stop of the engine writes one.');
  }
  const restored = await restoreSnapshot(db, shard, newest);
  // The way from the snapshot before, or from the first row, to this one: rows alone, each with its digest.
  const replayed =
    before === undefined
      ? Machine.empty(firstConfig(shard))
      : await restoreSnapshot(db, shard, before);
  if (restored === undefined || replayed === undefined) {
    const now = (await listSnapshots(db, shard)).map(({ seq }) => seq);
    if (!now.includes(newest.seq) || (before !== undefined && !now.includes(before.seq))) {
      return undefined;
    }
    throw unproven('A snapshot does not have the hash it was written with.');
  }
  while (replayed.seq < newest.seq) {
    await replayRows(db, replayed, { through: newest.seq, archive }, () => true);
  }
  const [row] = await readRows(db, shard, newest.seq - 1, 1);
  if (row?.seq !== newest.seq || !row.digest.equals(newest.digest)) {
    throw unproven(`The snapshot does not have the digest of row ${newest.seq} of the journal.`);
  }
  if (!replayed.digest.equals(newest.digest)) {
    throw unproven(`The journal replays to another digest than that of row ${newest.seq}.`);
  }
  if (stateHash(replayed.state) !== stateHash(restored.state)) {
    throw unproven(
      `The snapshot holds another state than the journal leads to at row ${newest.seq}.`,
    );
  }
  // Throws at the first row that does not follow.
  await followJournal(db, restored);
  const [fault] = findFaults(restored.state);
  if (fault !== undefined) throw unproven(`The state is not sound: ${fault.text}`);
  const { rowCount } = await db.query(
    'UPDATE trading_snapshots SET verified_at = clock_timestamp() WHERE shard = $1 AND seq = $2',
    [shard, newest.seq],
  );
  if (rowCount !== 1) return undefined;
  log.info({ shard, seq: newest.seq }, 'A snapshot of the engine was verified.');
  return { seq: newest.seq, limit: before?.seq ?? newest.seq };
}

const unproven = (message: string) =>
  new Refusal({
    code: 'SNAPSHOT_UNPROVEN',
    status: 409,
    message: `${message} Nothing was removed.`,
  });
