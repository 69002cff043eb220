// Runs jobs from PostgreSQL in the worker role. Several workers may run; each job goes to one at a
// time, and again to another if its worker dies, so a job's body must bear being repeated.
import { Logger, run, type Runner } from 'graphile-worker';
import { Value } from 'typebox/value';
import type { Context } from '../context.ts';
import { assert } from '../std/assert.ts';
import type { JobDefinition } from './define.ts';

export interface ScheduledJob {
  /** Five fields, UTC, as in crontab(5). */
  readonly cron: string;
  readonly job: JobDefinition<Record<string, never>>;
}

const CONCURRENCY = 4;

export async function startJobRunner(
  ctx: Context,
  // Each definition has its own input type; the schema checks it at run time.
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
    // Connections of its own: it listens on one, and expects ids in the library's own types.
    connectionString: ctx.config.DATABASE_URL,
    maxPoolSize: CONCURRENCY + 2,
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
