import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../testing/context.ts';
import { UPKEEP } from './upkeep.ts';
import { startWorker } from './worker.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function count(table: string): Promise<number> {
  const { rows } = await context.ctx.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return rows[0]?.n ?? -1;
}

it('every job runs, twice, and removes what is past its time and nothing else', async () => {
  const { pool } = context.ctx.database;
  await pool.query(`
    INSERT INTO login_failures (subject, at)
      VALUES ('old', now() - interval '25 hours'), ('new', now() - interval '1 hour');
    INSERT INTO processes (id, roles, seen_at)
      VALUES ('dead', '{api}', now() - interval '2 hours'), ('quiet', '{api}', now() - interval '1 minute');
    INSERT INTO event_queues (id, user_id, start_position, snapshot, idle_seconds, last_seen)
      VALUES (gen_random_uuid(), 1, 0, '1:1:', 600, now() - interval '1 hour'),
             (gen_random_uuid(), 1, 0, '1:1:', 600, now());
    INSERT INTO request_claims (signed_ms, key_id, signature, method, path)
      VALUES (1000, 'k', 'x', 'GET', '/');
  `);
  for (let round = 0; round < 2; round += 1) {
    for (const { job } of UPKEEP) await job.run(context.ctx, {});
  }
  expect(await count('login_failures')).toBe(1);
  // This context has a row of its own.
  expect(await count('processes')).toBe(2);
  expect(await count('event_queues')).toBe(1);
  expect(await count('request_claims')).toBe(0);
});

it('the worker starts with this schedule and stops again', async () => {
  const worker = startWorker(context.ctx);
  const known = async () => {
    const { rows } = await context.ctx.database.pool.query<{ identifier: string }>(
      'SELECT identifier FROM graphile_worker._private_known_crontabs ORDER BY identifier',
    );
    return rows.map((row) => row.identifier);
  };
  await expect.poll(known, { timeout: 10_000 }).toEqual(UPKEEP.map(({ job }) => job.name).sort());
  await worker.stop();
});
