// Enqueues jobs in the caller's transaction.

import { sql } from 'kysely';
import { Value } from 'typebox/value';
import type { Db } from '../db/pool.ts';
import { assert } from '../std/assert.ts';
import type { EnqueueOptions, JobKind } from './kind.ts';

/** Adds a job in the caller's transaction. */
export async function addJob<I>(
  db: Db,
  job: JobKind<I>,
  input: I,
  { runAt, key }: EnqueueOptions = {},
): Promise<void> {
  assert(Value.Check(job.input, input), `Input of job ${job.name} has the wrong shape.`, { input });
  await sql`
    SELECT FROM graphile_worker.add_job(
      identifier => ${job.name}, payload => ${JSON.stringify(input)}::json,
      run_at => ${runAt ?? null}::timestamptz, max_attempts => ${job.attemptsMax}::int,
      job_key => ${key ?? null}::text)`.execute(db);
}
