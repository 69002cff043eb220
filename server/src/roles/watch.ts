// What every process measures now and then, for the alarms of deploy/prometheus/alerts.yml.
import { statfs } from 'node:fs/promises';
import type { Context } from '../platform/context.ts';
import { rarely } from '../platform/observe/rarely.ts';
import type { JobBacklog } from '../platform/observe/metrics/process.ts';
import { pause } from '../platform/std/wait.ts';

const LOOK_EVERY_MS = 10_000;
const COMPLAIN_EVERY_MS = 60_000;
const STOP_WITHIN_MS = 500;

export function startWatch(ctx: Context): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look(ctx).catch((error: unknown) =>
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'What the alarms look at could not be read.'),
        ),
      );
      await pause(LOOK_EVERY_MS, stopping.signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      // Whatever the database does, these reads do not delay an orderly stop.
      await Promise.race([running, pause(STOP_WITHIN_MS)]);
    },
  };
}

interface Seen {
  readonly nowMs: number;
  readonly outboxSeconds: number;
  readonly operators: number;
  readonly lockedOut: number;
}

export async function look(ctx: Context): Promise<void> {
  const beforeMs = ctx.clock.now();
  const { rows } = await ctx.database.pool.query<Seen>({
    name: 'watch',
    text: `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs",
                  (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float8
                     FROM outbox) AS "outboxSeconds",
                  (SELECT count(*)::int FROM operator_secrets WHERE is_operator(user_id)) AS operators,
                  (SELECT count(*)::int FROM operator_secrets
                    WHERE failures >= 5 AND failed_at > clock_timestamp() - interval '15 minutes')
                    AS "lockedOut"`,
  });
  const afterMs = ctx.clock.now();
  const [seen] = rows;
  if (seen === undefined) return;
  // The database answered between the two readings; the round trip is not a clock offset.
  const early = Math.max(0, beforeMs - seen.nowMs);
  const late = Math.max(0, seen.nowMs - afterMs);
  ctx.metrics.clockSeen((early - late) / 1000);
  ctx.metrics.outboxSeen(Math.max(0, seen.outboxSeconds));
  ctx.metrics.operatorsSeen(seen.operators, seen.lockedOut);
  if (ctx.roles.includes('worker')) await lookAtJobs(ctx);
  const { blocks, bavail } = await statfs(ctx.config.UPLOADS_DIR).catch(() => statfs('.'));
  if (blocks > 0) ctx.metrics.diskSeen(1 - bavail / blocks);
}

/** The count stops here: more are far too many. */
const JOBS_COUNTED_MAX = 10_000;

async function lookAtJobs(ctx: Context): Promise<void> {
  const { rows } = await ctx.database.pool.query<JobBacklog>({
    name: 'watch jobs',
    text: `WITH ready AS MATERIALIZED (
             SELECT run_at FROM graphile_worker._private_jobs
              WHERE is_available AND run_at <= clock_timestamp() LIMIT $1)
           SELECT count(*)::int AS ready,
                  coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float8 AS "oldestSeconds",
                  (SELECT count(*)::int FROM (
                     SELECT FROM graphile_worker._private_jobs WHERE attempts >= max_attempts LIMIT $1) AS g)
                    AS "givenUp"
             FROM ready`,
    values: [JOBS_COUNTED_MAX],
  });
  const [backlog] = rows;
  if (backlog !== undefined) ctx.metrics.jobsSeen(backlog);
}
