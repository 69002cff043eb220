// Brings the projections up to date from the journal when the event log no longer reaches back to their
// checkpoint.
import type pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { readBounds } from '../../platform/events/log.ts';
import type { Machine } from '../engine/machine.ts';
import { Archive } from '../engine/journal/archive.ts';
import { machineAt, readJournalHead, type Stretch } from '../engine/replay.ts';
import type { Fold } from './fold.ts';
import type { LogPages } from './log-pages.ts';
import { projectReplayed } from './project.ts';
import {
  inTransactionOf,
  lockCheckpoint,
  writeAccounts,
  writeCheckpoint,
  type Checkpoint,
} from './store.ts';
import type { Written } from './turn.ts';

export interface CatchUpOptions {
  readonly ctx: Pick<Context, 'clock' | 'files' | 'log'>;
  readonly shard: number;
  readonly pages: LogPages;
  readonly stopping: AbortSignal;
  onWritten(written: Written): void;
}

export async function catchUp(db: pg.PoolClient, options: CatchUpOptions): Promise<void> {
  const { ctx, shard, pages, stopping, onWritten } = options;
  // Read before the journal's head, so that the journal has everything that the log has up to this position.
  const { head: logPosition } = await readBounds(db);
  const through = await readJournalHead(db, shard);
  const start = await inTransactionOf(db, () => lockCheckpoint(db, shard));
  if (start === undefined) return;
  if (start.seq >= through) {
    // The trimmed events were of other features, so the projections missed nothing.
    await inTransactionOf(db, async () => {
      const before = await lockCheckpoint(db, shard);
      if (before !== undefined) await writeCheckpoint(db, shard, { ...before, logPosition });
    });
    return;
  }
  ctx.log.warn(
    { from: start.seq, through },
    'The event log no longer reaches back to the projections; they catch up from the journal.',
  );
  const archive = new Archive(ctx.files);
  const machine = await machineAt(db, shard, start.seq, { log: ctx.log, archive });
  for (let isDone = false; !isDone && !stopping.aborted;) {
    const startedMs = performance.now();
    const done = await replayStretch(db, shard, machine, { through, archive, logPosition });
    if (done === undefined) return;
    const { checkpoint, fold } = done;
    isDone = machine.seq >= through;
    if (fold !== undefined) onWritten({ checkpoint, fold, startedMs, atMs: ctx.clock.now() });
    pages.lookedThrough = checkpoint.logPosition;
  }
}

/**
 * One transaction of the replay. When it reaches row `through`, everything in the log up to `logPosition`
 * is in the tables. Undefined: another worker holds the checkpoint or has moved it.
 */
const replayStretch = (
  db: pg.PoolClient,
  shard: number,
  machine: Machine,
  { through, archive, logPosition }: Stretch & { readonly logPosition: number },
): Promise<{ checkpoint: Checkpoint; fold: Fold | undefined } | undefined> =>
  inTransactionOf(db, async () => {
    const before = await lockCheckpoint(db, shard);
    if (before === undefined || before.seq !== machine.seq) return undefined;
    const fold = await projectReplayed(
      db,
      machine,
      { through, archive },
      before,
      before.streamsAfter,
    );
    if (fold !== undefined) await writeAccounts(db, [...fold.accounts.values()]);
    const isDone = machine.seq >= through;
    const checkpoint: Checkpoint = {
      seq: machine.seq,
      engineSeq: machine.state.engineSeq,
      streamsAfter: before.streamsAfter,
      logPosition: isDone ? Math.max(before.logPosition, logPosition) : before.logPosition,
      ...(fold?.counters ?? {
        lastOrderId: before.lastOrderId,
        lastEntryId: before.lastEntryId,
      }),
    };
    await writeCheckpoint(db, shard, checkpoint);
    return { checkpoint, fold };
  });
