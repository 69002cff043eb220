// Public market data of one process. It is filled from the tables as far as the projector is, then from the log of
// events up to the present, and follows the log from there. After a gap it is filled again; meanwhile readers see
// what was there before, which says how far it is.
import type { Context } from '../../platform/context.ts';
import { readBounds } from '../../platform/events/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { HOUR_MS } from '../../platform/std/time.ts';
import { isOverWithin, pause, withDeadline } from '../../platform/std/wait.ts';
import { Batch } from '../batches/batch.ts';
import type { BookFeed } from '../books/feed.ts';
import { refuse } from '../http/errors.ts';
import {
  historyIn,
  readAtCheckpoint,
  readBatches,
  readJournalHead,
} from '../projections/access.ts';
import { fillFromTables } from './fill.ts';
import type { Limits, Memory } from './fold.ts';
import type { Replica } from './reader.ts';

type ReplicaContext = Pick<
  Context,
  'database' | 'bus' | 'files' | 'log' | 'clock' | 'config' | 'inTransaction'
>;

const SHARD = 0;
/** How long a reader waits for events that are on their way here. */
const PRESENT_MS = 250;
/** How long a reader waits for the first fill. */
const FILL_WAIT_MS = 5000;
/** Events of the log that are read at once. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** When so few positions of the log are left to read, what is told meanwhile waits. */
const NEAR = 1000;
/** Batches that wait; with more, the fill starts again. */
const WAITING_MAX = 5000;
const RETRY_MS = 250;
const COMPLAIN_EVERY_MS = 5000;

export function startReplica(ctx: ReplicaContext, feed: BookFeed): Replica {
  const { log, config } = ctx;
  const { pool } = ctx.database;
  const limits: Limits = {
    tradesMax: config.MARKET_TRADES_MAX,
    tradesMs: config.MARKET_TRADES_HOURS * HOUR_MS,
  };
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  let memory: Memory | undefined;
  /** Whether `memory` follows the log; otherwise it is being filled. */
  let isLive = false;
  /** What was told since a fill came near the present. */
  let waiting: Batch[] | undefined;
  let why = 'The market data is being loaded.';
  let fills = 0;
  const filled = Promise.withResolvers<void>();
  let moved = Promise.withResolvers<void>();

  function wake(): void {
    moved.resolve();
    moved = Promise.withResolvers<void>();
  }

  function take(batch: Batch): void {
    if (batch.shard !== SHARD) return;
    if (!isLive) {
      if (waiting !== undefined && waiting.length <= WAITING_MAX) waiting.push(batch);
    } else if (memory?.take(batch) === true) wake();
    else void fill();
  }

  /** Fills a new memory, again and again until it succeeds. Called anew, it begins anew. */
  async function fill(): Promise<void> {
    isLive = false;
    waiting = undefined;
    fills += 1;
    const own = fills;
    while (!stopping.signal.aborted && own === fills) {
      try {
        const next = await reachPresent(() => own === fills);
        if (next === undefined) return;
        memory = next;
        isLive = true;
        filled.resolve();
        wake();
        return;
      } catch (error) {
        why = 'The market data cannot be loaded yet.';
        complain((keptBack) =>
          log.warn({ err: error, keptBack }, 'Market data cannot be loaded; it is tried again.'),
        );
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  /** A memory that has everything that was told; undefined if another fill has begun. */
  async function reachPresent(isOwn: () => boolean): Promise<Memory | undefined> {
    const { trimmedThrough } = await readBounds(pool);
    const head = await readJournalHead(ctx);
    const { reached, value: next } = await readAtCheckpoint(ctx, (db, at) =>
      fillFromTables(historyIn(ctx, db), limits, at, Math.floor(ctx.clock.now())),
    );
    let at = Math.max(reached.logPosition, trimmedThrough);
    const readOn = async (through: number): Promise<void> => {
      const page = await readBatches(pool, at, through, PAGE_BYTES);
      for (const event of page.events) takeOn(next, new Batch(event));
      at = page.through;
    };
    while (isOwn() && feed.position() - at > NEAR) await readOn(feed.position());
    if (!isOwn()) return undefined;
    const tail: Batch[] = (waiting = []);
    const told = feed.position();
    while (isOwn() && at < told) await readOn(told);
    if (!isOwn()) return undefined;
    if (tail.length > WAITING_MAX) throw new Error('Too much happened while the log was read.');
    for (const batch of tail) takeOn(next, batch);
    waiting = undefined;
    if (reached.logPosition < trimmedThrough && next.seq < head) throw new LogTooShort();
    return next;
  }

  function takeOn(next: Memory, batch: Batch): void {
    if (batch.shard === SHARD && !next.take(batch)) throw new LogTooShort();
  }

  async function awaitFilled(): Promise<Memory> {
    if (memory === undefined) await isOverWithin(filled.promise, FILL_WAIT_MS);
    if (memory !== undefined) return memory;
    throw refuse(
      'UNAVAILABLE',
      'The market data is being loaded. Ask again in a second.',
      {},
      SOON,
    );
  }

  feed.follow({
    onChange() {},
    onReset() {},
    onBatch: take,
    onLost: () => void fill(),
  });
  void fill();

  return {
    async present() {
      const untilMs = performance.now() + PRESENT_MS;
      await awaitFilled();
      // Without the database, readers get what is there.
      const head = await withDeadline(readJournalHead(ctx), PRESENT_MS, 'The journal').catch(
        () => 0,
      );
      for (;;) {
        const current = await awaitFilled();
        const leftMs = untilMs - performance.now();
        if (current.seq >= head || leftMs <= 0) return current;
        await isOverWithin(moved.promise, leftMs);
      }
    },
    whyNotReady: () => (memory === undefined ? why : undefined),
    stop: () => stopping.abort(),
  };
}

const SOON = { 'Retry-After': '1' };

class LogTooShort extends Error {
  constructor() {
    super(
      'The log of events does not reach from the tables to the present. Market data waits for the projector, which catches up from the journal.',
    );
  }
}
