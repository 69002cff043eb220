// One turn of the projector: one transaction that writes the engine's next events from the log into the tables.
import type pg from 'pg';
import { readBounds } from '../../platform/events/log.ts';
import type { Fold } from './fold.ts';
import { chooseRows, type LogPages } from './log-pages.ts';
import { foldBatches } from './project.ts';
import { StreamCounts } from './stream-counts.ts';
import {
  inTransactionOf,
  lockCheckpoint,
  writeAccounts,
  writeCheckpoint,
  writeFold,
  type Checkpoint,
} from './store.ts';

/** What a turn wrote, for metrics and for processes that wait for it. */
export interface Written {
  readonly checkpoint: Checkpoint;
  readonly fold: Fold;
  readonly startedMs: number;
  /** When the engine did the last of it. */
  readonly atMs: number;
}

export interface TurnWritten extends Written {
  readonly turn: 'worked';
  /** The newest order that was in the tables before. */
  readonly lastOrderId: number;
  /** The log has more. */
  readonly isBehind: boolean;
}

/**
 * Nothing was written. `worked`: only events of other features were skipped. `idle`: the whole log was read. `locked`:
 * another worker has the lock. `gap`: the log no longer reaches back to the checkpoint.
 */
interface NothingWritten {
  readonly turn: 'worked' | 'idle' | 'locked' | 'gap';
  readonly fold?: undefined;
}

export const takeTurn = (
  db: pg.PoolClient,
  pages: LogPages,
  shard: number,
): Promise<TurnWritten | NothingWritten> =>
  inTransactionOf(db, async () => {
    const before = await lockCheckpoint(db, shard);
    if (before === undefined) return { turn: 'locked' };
    const { head, trimmedThrough } = await readBounds(db);
    const after = Math.max(before.logPosition, pages.lookedThrough);
    if (after < trimmedThrough) return { turn: 'gap' };
    let page = await pages.take(db, after, head, before);
    let rows = chooseRows(page.events, before, shard);
    if (rows !== 'gap' && rows.batches.length === 0 && rows.isCut) {
      // One row of the journal is longer than a page, so it is read as a whole.
      page = await pages.takeAll(db, after, head, before);
      rows = chooseRows(page.events, before, shard);
      // Its last part has not been numbered yet.
      if (rows !== 'gap' && rows.batches.length === 0) return { turn: 'idle' };
    }
    if (rows === 'gap') return { turn: 'gap' };
    if (rows.batches.length === 0) {
      pages.lookedThrough = page.through;
      return { turn: page.through < head ? 'worked' : 'idle' };
    }
    const startedMs = performance.now();
    const fold = await foldBatches(db, before, rows.batches);
    // While the database writes this stretch, the next page is read and parsed.
    pages.readAhead(rows.position, head, fold.counters);
    await writeFold(db, fold);
    await writeAccounts(db, [...fold.accounts.values()]);
    const counts = new StreamCounts();
    for (const { batch, position, isLast } of rows.events) {
      counts.addPart(batch.outcomes, position, isLast);
    }
    await counts.write(db, { pages: true });
    const { seq, engineSeq, position: logPosition, atMs } = rows;
    const { streamsAfter } = before;
    const checkpoint = { seq, engineSeq, logPosition, streamsAfter, ...fold.counters };
    await writeCheckpoint(db, shard, checkpoint);
    return {
      turn: 'worked',
      checkpoint,
      fold,
      startedMs,
      atMs,
      lastOrderId: before.lastOrderId,
      isBehind: logPosition < head,
    };
  });
