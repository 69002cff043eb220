// The projector: follows the engine's events and writes the tables that readers query. Any number of workers may run
// one; only the worker that holds the lock on the checkpoint's row works. Rows and checkpoint are one commit, so
// nothing is written twice, even if a worker dies.
import type pg from 'pg';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { Bell } from '../../platform/std/bell.ts';
import { pause } from '../../platform/std/wait.ts';
import { announceWritten, countByMarket } from './announce.ts';
import { catchUp } from './catch-up.ts';
import { LogPages } from './log-pages.ts';
import { createRest } from './rest.ts';
import { separateLiveOrders } from './store.ts';
import { takeTurn, type Written } from './turn.ts';

export interface Projector {
  stop(): Promise<void>;
}

/** On a busy disk, bulk writes may take longer than the time limit of a request's statement. */
const STATEMENT_TIMEOUT_MS = 60_000;
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 500;
/** How often an idle worker checks whether the working one still holds the lock. */
const LOCKED_PAUSE_MS = 100;

export function startProjector(ctx: Context, { shard = 0 } = {}): Projector {
  const { bus, clock, config, log, metrics } = ctx;
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const pages = new LogPages(ctx.database.pool);
  let client: pg.PoolClient | undefined;
  let isSeparated = false;
  const bell = new Bell();
  const subscription = bus.subscribe(SUBJECTS.log, () => bell.ring());
  const rest = createRest({
    bus,
    clock,
    shard,
    lagMaxMs: config.PROJECTION_LAG_MAX_MS,
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
      if (!stopping.signal.aborted) await bell.wait(config.EVENT_POLL_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client ??= await connectProjector(ctx);
        if (!isSeparated) {
          const orders = await separateLiveOrders(client, shard);
          isSeparated = true;
          if (orders > 0) log.info({ orders }, 'Live orders of an older release have moved.');
        }
        bell.clear();
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
      bell.ring();
      rest.stop();
      subscription.unsubscribe();
      await running;
    },
  };
}

/** A connection of the projector, for what writes tables in its place. */
export async function connectProjector(ctx: Pick<Context, 'database'>): Promise<pg.PoolClient> {
  const fresh = await ctx.database.pool.connect();
  // Commits need not wait for the disk, which leaves the disk to the engine. If a crash of the database loses a
  // commit, its checkpoint is lost too, and the projector does the work again.
  try {
    await fresh.query(
      `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET synchronous_commit = off`,
    );
  } catch (error) {
    // A connection that is never released would keep the pool from closing.
    fresh.release(true);
    throw error;
  }
  return fresh;
}
