// What raises an alarm moves its metric beyond the limit of deploy/prometheus/alerts.yml. Liabilities and broken
// rules are in trading/audit/auditor.int.test.ts, the engine's clock in trading/engine/time.int.test.ts.
import { statfs } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proveOperator } from '../accounts/operators/actions.ts';
import { createLog } from '../platform/observe/log.ts';
import { systemClock } from '../platform/std/clock.ts';
import { createTestContext } from '../testing/context.ts';
import { examplePerson } from '../testing/example.ts';
import { exampleOperator } from '../testing/operators.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { exampleTrader } from '../testing/trader.ts';
import type { Context } from '../platform/context.ts';
import { look } from './watch.ts';

let server: TestServer;
const logged: Record<string, unknown>[] = [];
beforeAll(async () => {
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };
  server = await startTestServer({
    withRelay: false,
    log: createLog('error', {}, { destination }),
  });
});
afterAll(() => server.close());

async function valueOf(ctx: Context, name: string): Promise<number> {
  const { body } = await ctx.metrics.render();
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(body)?.[1]);
}

describe('what else the metrics and the log say', () => {
  it('an outage is one line with its cause, however many requests are refused', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n += 1) {
      statuses.add((await fetch(`${server.origin}/health/ready`)).status);
    }
    expect([...statuses]).toEqual([503]);
    const lines = logged.filter(({ status }) => status === 503);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      route: '/health/ready',
      cause: expect.stringContaining('engine') as string,
    });
  });

  it('jobs that wait and jobs that were given up are counted', async () => {
    const { ctx } = server;
    await look(ctx);
    expect(await valueOf(ctx, 'rialto_jobs_oldest_seconds')).toBe(0);
    await server.owner.query(
      `SELECT graphile_worker.add_job('nothing', '{}'::json, run_at => now() - interval '1 minute'),
              graphile_worker.add_job('nothing', '{}'::json, run_at => now() + interval '1 hour'),
              graphile_worker.add_job('nothing', '{}'::json, job_key => 'lost', max_attempts => 1)`,
    );
    await server.owner.query(
      "UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE key = 'lost'",
    );
    await look(ctx);
    const { body } = await ctx.metrics.render();
    expect(body).toMatch(/^rialto_jobs\{state="ready".*\} 1$/m);
    expect(body).toMatch(/^rialto_jobs\{state="given_up".*\} 1$/m);
    expect(await valueOf(ctx, 'rialto_jobs_oldest_seconds')).toBeGreaterThanOrEqual(60);
    await server.owner.query('DELETE FROM graphile_worker._private_jobs');
  });
});

describe('alarms', () => {
  it('more than a hundred wrong signatures of one key within a minute', async () => {
    const trader = await exampleTrader(server.ctx);
    const url = `${server.baseUrl}/private/account/info`;
    // The limits of an address let ten through at a time; the alarm is about a key used from many.
    const limit = server.ctx.config.TRADING_RATE_LIMIT;
    expect(limit).toBeLessThanOrEqual(101);
    const { query, headers } = trader.prepare();
    const wrong = { ...headers, 'X-SVC-SIGNATURE': '0'.repeat(64) };
    let refused = 0;
    while (refused < 101) {
      const answers = await Promise.all(
        Array.from({ length: limit }, () => fetch(`${url}?${query}`, { headers: wrong })),
      );
      const codes = await Promise.all(answers.map((answer) => answer.text()));
      refused += codes.filter((text) => text.includes('"3004"')).length;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    await expect
      .poll(() => valueOf(server.ctx, 'rialto_signature_failures_worst_key'), { timeout: 20_000 })
      .toBeGreaterThan(100);
  });

  it('a repeated signed request', async () => {
    const trader = await exampleTrader(server.ctx);
    const { query, headers } = trader.prepare();
    const ask = (method: string, path: string) =>
      fetch(`${server.baseUrl}${path}?${query}`, { method, headers });
    expect((await ask('GET', '/private/account/info')).status).toBe(200);
    const before = await valueOf(server.ctx, 'rialto_replays_refused_total');
    // Reads may share a signature; a write with one of theirs counts as repeated.
    expect((await ask('GET', '/private/account/fees')).status).toBe(200);
    expect((await ask('DELETE', '/private/order/cancel_all')).status).toBe(409);
    expect(await valueOf(server.ctx, 'rialto_replays_refused_total')).toBe(before + 1);
  });

  it('somebody who guesses passwords', async () => {
    const { email } = await examplePerson(server.ctx, { password: 'correct horse battery' });
    const attempt = () =>
      fetch(`${server.chatUrl}/fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username: email, password: 'wrong' }),
      });
    let status = 0;
    for (let tries = 0; tries < 60 && status !== 429; tries += 1) ({ status } = await attempt());
    expect(status).toBe(429);
    expect(await valueOf(server.ctx, 'rialto_lockouts_total')).toBeGreaterThan(0);
    const { body } = await server.ctx.metrics.render();
    expect(body).toMatch(/^rialto_sign_ins_total\{.*outcome="failed".*\} [1-9]/m);
  });

  it('wrong secrets in the name of an operator, and fewer than two operators', async () => {
    const { ctx } = server;
    const { email } = await exampleOperator(ctx);
    await look(ctx);
    expect(await valueOf(ctx, 'rialto_operators')).toBe(1);
    expect(await valueOf(ctx, 'rialto_operators_locked_out')).toBe(0);
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(proveOperator(ctx, { email, secret: 'wrong', via: 'test' })).rejects.toThrow();
    }
    await look(ctx);
    expect(await valueOf(ctx, 'rialto_operators_locked_out')).toBe(1);
  });

  it('polls for queues that are gone', async () => {
    const person = await examplePerson(server.ctx);
    const headers = { authorization: person.basic };
    const before = await valueOf(server.ctx, 'rialto_queues_lost_total');
    const gone = new URLSearchParams({
      queue_id: '00000000-0000-4000-8000-000000000000',
      last_event_id: '-1',
    });
    const answer = await fetch(`${server.chatUrl}/events?${gone}`, { headers });
    expect(await answer.json()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await valueOf(server.ctx, 'rialto_queues_lost_total')).toBe(before + 1);
  });

  it('events that are not numbered', async () => {
    const { ctx } = server;
    await examplePerson(ctx);
    await server.owner.query(`UPDATE outbox SET at = at - interval '6 seconds'`);
    await look(ctx);
    expect(await valueOf(ctx, 'rialto_outbox_age_seconds')).toBeGreaterThan(5);
  });

  it('a disk is as full as it is', async () => {
    await look(server.ctx);
    const used = await valueOf(server.ctx, 'rialto_disk_used_ratio');
    const { blocks, bavail } = await statfs('.');
    // Others write while the test runs.
    expect(Math.abs(used - (1 - bavail / blocks))).toBeLessThan(0.05);
  });

  it.each([
    ['ahead', 2000],
    ['behind', -2000],
  ])('a clock that is %s', async (_name, offMs) => {
    const { ctx, close } = await createTestContext(
      {},
      { clock: { now: () => systemClock.now() + offMs } },
    );
    onTestFinished(close);
    await look(ctx);
    const offset = await valueOf(ctx, 'rialto_clock_offset_seconds');
    expect(Math.abs(offset)).toBeGreaterThan(0.25);
    expect(Math.sign(offset)).toBe(Math.sign(offMs));
  });
});
