// Runs jobs from PostgreSQL in the worker role. Several workers may run; each job goes to one at a time, and again
// to another if its worker dies, so a job must tolerate repetition.
import { EventEmitter } from 'node:events';
import { Logger, run, type Runner, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { Value } from 'typebox/value';
import type { Context } from '../context.ts';
import { JOB_CONNECTIONS } from '../db/pools.ts';
import { assert } from '../std/assert.ts';
import { isOverWithin, pause } from '../std/wait.ts';
import type { JobDefinition } from './define.ts';

export interface ScheduledJob {
  /** Five fields, UTC, as in crontab(5). */
  readonly cron: string;
  readonly job: JobDefinition<Record<string, never>>;
}

export interface JobRunner {
  stop(): Promise<void>;
}

/** The others listen, and mark finished jobs. */
const CONCURRENCY = JOB_CONNECTIONS - 2;
const CONNECT_TIMEOUT_MS = 2000;
/** How long to wait before the library is restarted, doubled with each failure. */
const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 10_000;
/** How long running jobs may take after a stop was requested, before they are given up. */
const LAST_JOBS_MS = 1500;
const GIVE_UP_MS = 1000;
/** A runner that lived this long had started well. */
const SOUND_MS = 30_000;

/**
 * The library gives up when it loses the database. A process without its jobs, or one that ends with all its other
 * roles, would be worse, so the library is restarted.
 */
export function startJobRunner(
  ctx: Context,
  // Each definition has its own input type; the schema checks it at run time.
  jobs: readonly JobDefinition<never>[],
  scheduled: readonly ScheduledJob[],
): JobRunner {
  const stopping = new AbortController();
  const pool = openPool(ctx);
  let runner: Runner | undefined;
  /** The worker that holds jobs. */
  const holders = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => holders.add(workerPool.id));
  events.on('worker:create', ({ worker }) => holders.add(worker.workerId));

  async function supervise(): Promise<void> {
    let waitMs = RESTART_MIN_MS;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      let failure: unknown;
      try {
        runner = await startRunner(ctx, { pool, events }, jobs, scheduled);
        // A stop requested during the start could not reach it.
        if (stopping.signal.aborted) await runner.stop();
        await runner.promise;
      } catch (error) {
        failure = error;
      }
      runner = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedMs > SOUND_MS) waitMs = RESTART_MIN_MS;
      ctx.log.warn({ err: failure, waitMs }, 'The job runner ended; it is started again.');
      await pause(waitMs, stopping.signal);
      waitMs = Math.min(RESTART_MAX_MS, waitMs * 2);
    }
  }

  const supervising = supervise();
  return {
    async stop() {
      stopping.abort();
      // It refuses to be stopped twice, and may have stopped by itself.
      const inOrder = (runner?.stop() ?? Promise.resolve()).catch(() => {}).then(() => supervising);
      if (await isOverWithin(inOrder, LAST_JOBS_MS)) return pool.end();
      // It waits for its jobs, and after a failure up to a minute before it notices the stop. Abandoned jobs would
      // be locked for hours.
      const unlocked = ctx.database.pool.query('SELECT graphile_worker.force_unlock_workers($1)', [
        [...holders],
      ]);
      await isOverWithin(unlocked, GIVE_UP_MS);
      void pool.end().catch(() => {});
      ctx.log.warn('Jobs that did not end in time were given up; another worker does them.');
    },
  };
}

/** Its own connections: it listens on one, and expects ids in the library's own types. */
function openPool(ctx: Context): pg.Pool {
  const pool = new pg.Pool({
    connectionString: ctx.config.DATABASE_URL,
    max: JOB_CONNECTIONS,
    application_name: 'rialto jobs',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without listeners a lost connection would end the process, whether it was in use or not.
  const onLost = (error: Error) =>
    ctx.log.debug({ err: error }, 'A connection of the jobs was lost.');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

async function startRunner(
  ctx: Context,
  { pool, events }: { readonly pool: pg.Pool; readonly events: WorkerEvents },
  jobs: readonly JobDefinition<never>[],
  scheduled: readonly ScheduledJob[],
): Promise<Runner> {
  const all = [...jobs, ...scheduled.map((entry) => entry.job)] as JobDefinition<unknown>[];
  const taskList = Object.fromEntries(
    all.map((job) => [
      job.name,
      async (payload: unknown) => {
        const input = withoutCronField(payload);
        assert(Value.Check(job.input, input), `Input of job ${job.name} has the wrong shape.`);
        await job.run(ctx, input);
      },
    ]),
  );
  const crontab = scheduled.map((entry) => `${entry.cron} ${entry.job.name} ?max=3`).join('\n');
  return run({
    pgPool: pool,
    events,
    // By default the library does not await the marking of a finished job, so an unreachable database would end
    // the process. Its other mode stops the runner instead, which is restarted.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    crontab,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') ctx.log.error({ job: true }, message);
      else if (level === 'warning') ctx.log.warn({ job: true }, message);
    }),
  });
}

/** The runner adds `_cron` to the payload of scheduled jobs; it is not part of their input. */
function withoutCronField(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { _cron, ...rest } = payload as Record<string, unknown>;
  return rest;
}
