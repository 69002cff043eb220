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

it('every job runs, twice, and removes what has expired and nothing else', async () => {
  const { pool } = context.ctx.database;
  await pool.query(`
    INSERT INTO sign_in_buckets (subject, tokens, at, streak)
      VALUES ('idle', 1, now() - interval '25 hours', 49), ('new', 1, now() - interval '1 hour', 0),
             ('closed', 1, now() - interval '89 days', 100), ('long closed', 1, now() - interval '91 days', 100);
    INSERT INTO known_devices (token_lookup, user_id, last_used_at)
      SELECT d.token, min(u.id), d.at FROM users u, (VALUES ('old'::bytea, now() - interval '401 days'),
             ('new', now() - interval '399 days')) AS d (token, at) GROUP BY d.token, d.at;
    INSERT INTO known_addresses (user_id, address, last_success_at)
      SELECT min(u.id), a.address, a.at FROM users u, (VALUES ('192.0.2.1', now() - interval '31 days'),
             ('192.0.2.2', now() - interval '29 days')) AS a (address, at) GROUP BY a.address, a.at;
    INSERT INTO mailed_links (lookup, purpose, user_id, expires_at)
      SELECT l.lookup, 'device', min(u.id), l.at FROM users u, (VALUES ('old'::bytea, now() - interval '8 days'),
             ('new', now() - interval '1 day')) AS l (lookup, at) GROUP BY l.lookup, l.at;
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
  expect(await count('sign_in_buckets')).toBe(2);
  expect(await count('known_devices')).toBe(1);
  expect(await count('known_addresses')).toBe(1);
  expect(await count('mailed_links')).toBe(1);
  // This context has its own row.
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
