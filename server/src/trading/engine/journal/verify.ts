// Checks the whole journal, wherever its rows are: every file of the archive, that the parts join, and by a replay from the
// first row that each row has the digest of what it causes, across the seam between the file store and the table.
import { stateHash } from '@rialto/matching';
import type { Context } from '../../../platform/context.ts';
import { GENESIS, Machine } from '../machine.ts';
import { firstConfig, restoreSnapshot } from '../recover.ts';
import { replayRows } from '../replay.ts';
import { listSnapshots } from '../snapshot-store.ts';
import { readHead, readRows } from '../access.ts';
import { Archive } from './archive.ts';
import { checkArchive } from './archive-part.ts';
import { listArchives, readRemovedThrough, type ArchiveRow } from './archives-store.ts';

export interface VerifyOptions {
  readonly shard?: number;
  /** False: read the files, and replay nothing. */
  readonly isReplayed: boolean;
  onProgress?(seq: number, through: number): void;
}

export interface VerifyReport {
  readonly archives: readonly (Pick<ArchiveRow, 'firstSeq' | 'lastSeq' | 'isRemoved'> & {
    readonly files: number;
    readonly fault: string | undefined;
  })[];
  /** The first row in the table. */
  readonly tableFromSeq: number;
  readonly headSeq: number;
  /** Rows that a replay from the first one confirmed. */
  readonly replayedSeq: number;
  /** Everything that is wrong; empty when all is well. */
  readonly faults: readonly string[];
}

export async function verifyJournal(ctx: Context, options: VerifyOptions): Promise<VerifyReport> {
  const { shard = 0, isReplayed } = options;
  const { pool } = ctx.database;
  const faults: string[] = [];
  const rows = await listArchives(pool, shard);
  const archives: VerifyReport['archives'][number][] = [];
  for (const row of rows) {
    const { firstSeq, lastSeq, isRemoved } = row;
    const checked = await checkArchive(pool, ctx.files, row).catch(
      (error: unknown) => (error as Error).message,
    );
    const fault = typeof checked === 'string' ? checked : undefined;
    const files = typeof checked === 'string' ? 0 : checked.files;
    archives.push({ firstSeq, lastSeq, isRemoved, files, fault });
    if (fault !== undefined) faults.push(`Rows ${firstSeq} to ${lastSeq}: ${fault}`);
  }
  faults.push(...findSeams(rows));
  const removedThrough = await readRemovedThrough(pool, shard);
  const { seq: headSeq } = await readHead(pool, shard);
  const [first] = await readRows(pool, shard, 0, 1);
  const tableFromSeq = first?.seq ?? 0;
  if (headSeq > 0 && tableFromSeq !== removedThrough + 1) {
    faults.push(
      `The table begins with row ${tableFromSeq}, and the archive ends with row ${removedThrough}.`,
    );
  }
  let replayedSeq = 0;
  if (isReplayed) {
    const machine = Machine.empty(firstConfig(shard));
    try {
      await replayAll(ctx, machine, headSeq, faults, options);
    } catch (error) {
      faults.push((error as Error).message);
    }
    // A row that was applied and has another digest is not confirmed.
    replayedSeq = machine.isWhole ? machine.seq : machine.seq - 1;
  }
  return { archives, tableFromSeq, headSeq, replayedSeq, faults };
}

/** Where two parts do not join: each begins with the row and the digest after those of the one before. */
export function findSeams(
  rows: readonly Pick<
    ArchiveRow,
    'firstSeq' | 'lastSeq' | 'digestBefore' | 'digestAfter' | 'isRemoved'
  >[],
): string[] {
  const faults: string[] = [];
  let before: Pick<ArchiveRow, 'lastSeq' | 'digestAfter' | 'isRemoved'> = {
    lastSeq: 0,
    digestAfter: GENESIS,
    isRemoved: true,
  };
  for (const row of rows) {
    if (row.firstSeq !== before.lastSeq + 1) {
      faults.push(`An archive begins with row ${row.firstSeq} after row ${before.lastSeq}.`);
    } else if (!row.digestBefore.equals(before.digestAfter)) {
      faults.push(`The archive from row ${row.firstSeq} on follows another row ${before.lastSeq}.`);
    }
    if (row.isRemoved && !before.isRemoved) {
      faults.push(`Row ${row.firstSeq} has left the table before row ${before.lastSeq}.`);
    }
    before = row;
  }
  return faults;
}

async function replayAll(
  { database: { pool }, files }: Context,
  machine: Machine,
  through: number,
  faults: string[],
  { onProgress }: VerifyOptions,
): Promise<void> {
  const archive = new Archive(files);
  const { shard } = machine;
  // Those that are written meanwhile lie behind the end.
  const snapshots = (await listSnapshots(pool, shard)).toReversed();
  const stops = [...snapshots.map(({ seq }) => seq).filter((seq) => seq <= through), through];
  for (const stop of stops) {
    while (machine.seq < stop) {
      await replayRows(pool, machine, { through: stop, archive }, () => true);
      onProgress?.(machine.seq, through);
    }
    const head = snapshots.find(({ seq }) => seq === stop);
    if (head === undefined) continue;
    const restored = await restoreSnapshot(pool, shard, head);
    // It may have been replaced.
    if (restored === undefined) continue;
    if (!head.digest.equals(machine.digest)) {
      faults.push(`The snapshot after row ${stop} has another digest than that row.`);
    } else if (stateHash(restored.state) !== stateHash(machine.state)) {
      faults.push(`The snapshot after row ${stop} holds another state than the journal leads to.`);
    }
  }
}
