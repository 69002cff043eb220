// Readiness as a load balancer sees it: ready means that orders are accepted.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { loadConfig } from '../../platform/config/load.ts';
import { freePort } from '../../platform/engines/process.ts';
import { startProcess } from '../../roles/start.ts';
import { clusterSettings, testEnvironment } from '../../testing/context.ts';
import { cloneDatabase } from '../../testing/database.ts';
import { startTestEngine, startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let engine: { stop(): Promise<void> } | undefined;
afterEach(async () => {
  await engine?.stop();
  engine = undefined;
  await server.close();
});

interface Ready {
  status: string;
  checks: Record<string, string>;
  why?: Record<string, string>;
}

async function ready(): Promise<{ code: number; body: Ready }> {
  const answer = await fetch(`${server.origin}/health/ready`);
  return { code: answer.status, body: (await answer.json()) as Ready };
}
const code = async () => (await ready()).code;

it('fails until an engine leads, passes while it does, and fails when it is gone', async () => {
  server = await startTestServer();
  const before = await ready();
  expect(before).toMatchObject({
    code: 503,
    body: { status: 'unavailable', checks: { database: 'ok', engine: 'down' } },
  });
  expect(before.body.why?.['engine']).toContain('No engine has taken over');
  engine = await startTestEngine(server.ctx);
  await expect.poll(code, { timeout: 10_000 }).toBe(200);
  expect((await ready()).body).toEqual({
    status: 'ok',
    checks: {
      database: 'ok',
      engine: 'ok',
      bus: 'ok',
      windows: 'ok',
      process: 'ok',
      market_data: 'ok',
    },
  });
  await engine.stop();
  engine = undefined;
  await expect.poll(code, { timeout: 10_000 }).toBe(503);
  expect((await ready()).body.why?.['engine']).toContain('was stopped');
});

it('fails when the engine has fallen silent, and until this process has heard of the leading one', async () => {
  server = await startTestServer();
  const beat = (epoch: number, age: string) =>
    server.ctx.database.pool.query(
      `INSERT INTO trading_leases (shard, epoch, holder, beat_at)
       VALUES (0, $1, 'another process', clock_timestamp() - $2::interval)
       ON CONFLICT (shard) DO UPDATE SET epoch = excluded.epoch, beat_at = excluded.beat_at`,
      [epoch, age],
    );
  await beat(7, '30 seconds');
  expect((await ready()).body.why?.['engine']).toContain('last heard of 30');
  // Answers are cached for a moment.
  await delay(150);
  await beat(8, '0 seconds');
  const { code: first, body } = await ready();
  // It looks every half second, and may have looked just now.
  if (first === 503) expect(body.why?.['engine']).toContain('has not heard of it yet');
  const later = async () => {
    await beat(8, '0 seconds');
    return code();
  };
  await expect.poll(later, { timeout: 10_000 }).toBe(200);
});

it('rarely asks the database, however many ask at once', async () => {
  server = await startTestServer({ withEngine: true });
  await expect.poll(code, { timeout: 10_000 }).toBe(200);
  const { pool } = server.ctx.database;
  const asked = vi.spyOn(pool, 'query');
  const codes: number[] = [];
  // As many at once as are admitted.
  for (let round = 0; round < 3; round += 1) {
    codes.push(...(await Promise.all(Array.from({ length: 100 }, code))));
  }
  expect(new Set(codes)).toEqual(new Set([200]));
  const health = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('event_head'));
  expect(health.length).toBeLessThan(60);
  asked.mockRestore();
});

it.each([
  ['relay', 200],
  ['worker', 200],
  ['api', 503],
])(
  'on the operators’ port, a process with the role %s alone is %i without an engine',
  async (roles, expected) => {
    server = await startTestServer();
    const settings = { ROLES: roles, OPS_PORT: String(await freePort()), ...clusterSettings() };
    // A separate database: the server above owns the other one.
    const other = await cloneDatabase(inject('postgresUrl'));
    const running = await startProcess(loadConfig(testEnvironment(other.url, settings)), {
      onFatal: (error) => {
        throw error;
      },
    });
    try {
      const answer = await fetch(`${running.opsOrigin}/ready`);
      expect(answer.status).toBe(expected);
      expect(await answer.json()).toMatchObject({ checks: { database: 'ok', process: 'ok' } });
    } finally {
      await running.stop();
      await other.drop();
    }
  },
);

it('liveness needs no engine', async () => {
  server = await startTestServer();
  expect((await fetch(`${server.origin}/health/live`)).status).toBe(200);
});
