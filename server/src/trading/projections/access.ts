// How far the projections are, for their readers. A caller finds its own writes, or learns how much of the history it
// was shown.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { findJournalTime } from '../engine/journal-search.ts';
import { Answer } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { holdTrades } from './days.ts';
import { findCheckpoint, readCheckpointRow, readProgress, type Reached } from './store.ts';
import { watchOf, type ProjectionContext } from './watch.ts';

export { findBoundary, listLines, type LedgerLine, type LinesAsked } from './ledger/pages.ts';
export { listTotalsBefore } from './ledger/totals.ts';
export { findStart, holdTrades, isRecent, walkDays } from './days.ts';
export { historyIn, type History } from './archive/read.ts';
export { readArchivedOrders, type OrdersWanted } from './archive/access.ts';
export { inTransactionOf, readBatches, type Reached } from './store.ts';

/** On pages of history: they have everything up to this engine event, and perhaps some of what came later. */
export const COMPLETE_HEADER = 'X-SVC-COMPLETE-TO-SEQ';

export interface AwaitOptions {
  /** Wait only until this engine event is in the tables; without it, for everything that was in the journal on arrival. */
  readonly through?: number | undefined;
  /** How long to wait for the projections. */
  readonly patienceMs?: number;
  /** What to do then: read what is there, or refuse, where half of it would be a wrong answer. */
  readonly orElse?: 'refuse' | 'read';
  readonly shard?: number;
}

const PATIENCE_MS = 1000;

/**
 * Waits for the projections, and returns the engine event up to which they are certainly complete. Read the tables
 * after it.
 */
export async function awaitProjection(
  ctx: ProjectionContext,
  { through, patienceMs = PATIENCE_MS, orElse = 'read', shard = 0 }: AwaitOptions = {},
): Promise<number> {
  const { isPassed, completeTo } = await watchOf(ctx, shard).pass({ through, patienceMs });
  if (!isPassed && orElse === 'refuse') throw notUpToDate();
  return completeTo;
}

const notUpToDate = () =>
  refuse(
    'UNAVAILABLE',
    'The history is not yet up to date with the engine. Ask again in a second.',
    {},
    { 'Retry-After': '1' },
  );

/**
 * Resolves when everything that happened before a moment is in the tables. Refuses after five seconds: a stretch of
 * the past must be whole.
 */
export async function awaitProjectedTime(
  ctx: ProjectionContext & Pick<Context, 'db'>,
  beforeMs: number,
): Promise<void> {
  const { seq } = await readCheckpoint(ctx);
  // Times grow with rows: if the first missing row is not before the moment, none is.
  const missingMs = await findJournalTime(ctx.db, seq + 1);
  if (missingMs === undefined || missingMs >= beforeMs) return;
  await awaitProjection(ctx, { patienceMs: 5000, orElse: 'refuse' });
}

/** A page of history that says how far it is complete. */
export const answerHistory = <T>(result: T, completeTo: number): Answer<T> =>
  new Answer(result, { [COMPLETE_HEADER]: String(completeTo) });

/** How far lookups in the projections reach; goes on a command with a client id. */
export async function readCheckpoint(
  ctx: Pick<Context, 'database'>,
  shard = 0,
): Promise<{ seq: number; engineSeq: number }> {
  const { seq, engineSeq } = await readCheckpointRow(ctx.database.pool, shard);
  return { seq, engineSeq };
}

/** Reads tables of the projections as one state, and how far they are. */
export const readAtCheckpoint = <T>(
  ctx: Pick<Context, 'inTransaction'>,
  read: (db: Db, reached: Reached) => Promise<T>,
  shard = 0,
): Promise<{ readonly reached: Reached; readonly value: T }> =>
  ctx.inTransaction(
    async (tx) => {
      await holdTrades(tx);
      const reached = await findCheckpoint(tx, shard);
      return { reached, value: await read(tx, reached) };
    },
    { isolation: 'repeatable read' },
  );

/** The last row of the journal, read after the call; callers of the same moment share the read. */
export const readJournalHead = (ctx: ProjectionContext, shard = 0): Promise<number> =>
  watchOf(ctx, shard).head();

/** Rows of the journal that the projections lack. */
export async function readProjectionLag(
  ctx: Pick<Context, 'database'>,
  shard = 0,
): Promise<number> {
  const { head, seq } = await readProgress(ctx.database.pool, shard);
  return head - seq;
}
