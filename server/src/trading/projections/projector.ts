// Follows what the engine does and writes it down for readers. Any number of workers may run one: the worker
// that holds the lock on the checkpoint's row works. What was written and how far that goes are one commit, so
// nothing is written twice, whichever worker dies when.
import type pg from 'pg';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import { announceWritten, countByMarket } from './announce.ts';
import { catchUp } from './catch-up.ts';
import { LogPages } from './log-pages.ts';
import { createRest } from './rest.ts';
import { takeTurn, type Written } from './turn.ts';

export interface Projector {
  stop(): Promise<void>;
}

/** A stretch of bulk writes is slower than what a request may take, on a busy disk. */
const STATEMENT_TIMEOUT_MS = 60_000;
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 500;
/** How often a worker that found another one at work looks again. */
const LOCKED_PAUSE_MS = 100;

export function startProjector(ctx: Context, { shard = 0 } = {}): Projector {
  const { bus, clock, config, log, metrics } = ctx;
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const pages = new LogPages(ctx.database.pool);
  let client: pg.PoolClient | undefined;
  let bell = Promise.withResolvers<void>();
  const subscription = bus.subscribe(SUBJECTS.log, () => bell.resolve());
  const rest = createRest({
    bus,
    clock,
    shard,
    lagMaxMs: config.PROJECTION_LAG_MAX_MS,
    stopping: stopping.signal,
  });

  function onWritten(written: Written): void {
    pages.lookedThrough = Math.max(pages.lookedThrough, written.checkpoint.logPosition);
    announceWritten(ctx, shard, written);
  }

  async function work(db: pg.PoolClient): Promise<void> {
    const done = await takeTurn(db, pages, shard);
    if (done.fold !== undefined) {
      onWritten(done);
      countByMarket(metrics, done.fold, done.lastOrderId);
      const { startedMs, atMs, isBehind } = done;
      await rest.after({ workedMs: performance.now() - startedMs, atMs, isBehind });
    }
    if (done.turn === 'gap') {
      await catchUp(db, { ctx, shard, pages, stopping: stopping.signal, onWritten });
    }
    if (done.turn === 'locked') await pause(LOCKED_PAUSE_MS, stopping.signal);
    if (done.turn === 'idle') {
      metrics.projectionIdle();
      await Promise.race([bell.promise, pause(config.EVENT_POLL_MS, stopping.signal)]);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client ??= await connect(ctx);
        bell = Promise.withResolvers<void>();
        await work(client);
      } catch (error) {
        complain((keptBack) =>
          log.error({ err: error, keptBack }, 'The projections could not be written.'),
        );
        client?.release(true);
        client = undefined;
        pages.lookedThrough = 0;
        await pause(ERROR_PAUSE_MS, stopping.signal);
      }
    }
    client?.release(true);
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      bell.resolve();
      rest.stop();
      subscription.unsubscribe();
      await running;
    },
  };
}

async function connect(ctx: Pick<Context, 'database'>): Promise<pg.PoolClient> {
  const fresh = await ctx.database.pool.connect();
  // A commit that a crash of the database undoes is done again, because the checkpoint is undone with it:
  // there is no need to wait for the disk, and the engine's own commits have it for themselves.
  try {
    await fresh.query(
      `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET synchronous_commit = off`,
    );
  } catch (error) {
    // One that is never given back would keep the pool from closing for ever.
    fresh.release(true);
    throw error;
  }
  return fresh;
}
