// The heartbeat of a leading engine: it renews the lease for standbys, and updates the metrics.
import type { State } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import type { Admission } from './admission.ts';
import type { Backlog } from './backlog.ts';
import type { Machine } from './machine.ts';
import { readProjectedSeq } from './overview.ts';
import type { IntakeQueue } from './queue.ts';
import { readNewestSnapshot } from './snapshot-store.ts';
import { beat, Fenced } from './store.ts';
import { CLOCK_ALARM_MS, type EngineTime } from './time.ts';

export interface HeartOptions {
  readonly shard: number;
  readonly epoch: number;
  readonly machine: Machine;
  readonly queue: IntakeQueue;
  readonly time: EngineTime;
  readonly backlog: Backlog;
  readonly admission: Admission;
  onReplaced(error: Fenced): void;
}

const COMPLAIN_EVERY_MS = 5000;
const COMPLAIN_OF_CLOCK_EVERY_MS = 60_000;

/** Beats on a separate connection that commits do not block. */
export function startHeart(ctx: Context, options: HeartOptions): { stop(): Promise<void> } {
  const { config, database, log, metrics, id: holder } = ctx;
  const { shard, epoch, machine, queue, time, backlog, admission } = options;
  const complain = rarely(COMPLAIN_EVERY_MS);
  const complainOfClock = rarely(COMPLAIN_OF_CLOCK_EVERY_MS);
  const done = new AbortController();

  function watchClock(offsetMs: number): void {
    metrics.engineClockOffset(offsetMs / 1000);
    if (Math.abs(offsetMs) <= CLOCK_ALARM_MS) return;
    complainOfClock((keptBack) =>
      log.error(
        { offsetMs, keptBack },
        'The clock of this machine is far from the time that the engine goes by. Timers and expiries go on at an even pace; set the clock right. A clock that is ahead is followed when the engine starts again.',
      ),
    );
  }

  /** Looks how far the tables are, and takes fewer new orders if that is not far enough. */
  async function watchTables(): Promise<void> {
    const before = admission.share;
    backlog.look(await readProjectedSeq(database.pool, shard), performance.now());
    const { waitMs } = backlog;
    admission.learn(waitMs);
    metrics.engineBehind(waitMs / 1000, 1 - admission.share);
    if (admission.share < 1 && before === 1) {
      log.warn(
        { waitMs: Math.round(waitMs) },
        'The tables are far behind the engine, which refuses some of the new orders until they follow. Does a worker run?',
      );
    }
    if (admission.share === 1 && before < 1) log.info('The engine takes every order again.');
  }

  async function tellOfSnapshot(): Promise<void> {
    const newest = await readNewestSnapshot(database.pool, shard);
    if (newest !== undefined) metrics.engineSnapshot(newest.seq, newest.bytes, newest.atMs / 1000);
  }

  const beating = (async () => {
    await tellOfSnapshot().catch((error: unknown) =>
      log.warn({ err: error }, 'The newest snapshot cannot be looked at.'),
    );
    while (!done.signal.aborted) {
      await pause(config.ENGINE_HEARTBEAT_MS, done.signal);
      if (done.signal.aborted) return;
      const sleptMs = time.noticeSleep();
      if (sleptMs > 0) log.warn({ sleptMs }, 'The machine slept; the engine’s time follows.');
      time.now();
      const clockOffsetMs = Math.round(time.offsetMs);
      watchClock(clockOffsetMs);
      metrics.engineWaiting(queue.length);
      metrics.engineSizes(sizesOf(machine.state));
      try {
        if (await beat(database.pool, { shard, epoch, holder, clockOffsetMs })) {
          await watchTables();
          continue;
        }
        const replaced = `Another engine leads shard ${shard} since after epoch ${epoch}.`;
        return options.onReplaced(new Fenced(replaced));
      } catch (error) {
        complain((keptBack) =>
          log.warn({ err: error, keptBack }, 'The engine cannot say that it is there.'),
        );
      }
    }
  })();

  return {
    async stop() {
      done.abort();
      await beating;
      metrics.engineBehind(0, 0);
    },
  };
}

/** How much the engine holds in memory. */
const sizesOf = ({
  ids,
  finishedCount,
  accounts,
  markets,
  coins,
  rowCount,
  causes,
  pool,
  finished,
}: State) => ({
  orders_live: ids.count - finishedCount,
  orders_finished: finishedCount,
  accounts: accounts.length,
  markets: markets.length,
  coins: coins.length,
  balances: rowCount,
  causes: causes.size,
  order_pool_bytes: pool.u32.byteLength,
  finished_bytes: finished.bytes,
});
