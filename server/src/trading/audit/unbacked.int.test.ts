// How a deployment reacts to a credit without evidence. The test looks only from outside: rows,
// phases, the doctor.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runDoctor } from '../../ops/doctor/run.ts';
import { createLog } from '../../platform/observe/log.ts';
import { startWorker } from '../../roles/worker.ts';
import { testEnvironment } from '../../testing/context.ts';
import { liveVenue, RICH, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { awaitProjection } from '../projections/access.ts';

const LIMIT_MS = 5000;
/** What a machine that is busy with other tests may add. */
const BUSY_MS = 10_000;

let server: TestServer;
let venue: LiveVenue;
let worker: { stop(): Promise<void> } | undefined;
beforeAll(async () => {
  server = await startTestServer({ withEngine: true, log: createLog('silent', {}) });
  venue = await liveVenue(server, { phase: 'continuous' });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
afterAll(() => server.close());

const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await server.ctx.database.pool.query<R>(text, values)).rows;

const phases = async (): Promise<Record<string, string>> => {
  const rows = await query<{ symbol: string; phase: string }>('SELECT symbol, phase FROM markets');
  return Object.fromEntries(rows.map(({ symbol, phase }) => [symbol, phase]));
};

/** Acts like an attacker who can write into the database, or who got past the engine's door. */
async function mint(coin: string, depositId: string, account: bigint): Promise<void> {
  const command = { type: 'credit_deposit', depositId, network: 'SIMULATED', coin };
  await query("INSERT INTO operator_commands (command, requested_by) VALUES ($1, 'nobody')", [
    JSON.stringify({ ...command, to: Number(account), amount: String(10n ** 24n) }),
  ]);
}

it('deposits with evidence halt nothing', async () => {
  worker = startWorker(server.ctx);
  const trader = await venue.trader(RICH);
  for (let n = 0; n < 20; n += 1) await venue.fund(trader.accountId, { usdt: '1', btc: '1' });
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(new Set(Object.values(await phases()))).toEqual(new Set(['continuous']));
});

it('a credit without evidence halts the markets of its coin within 5 s, and no other', async () => {
  const trader = await venue.trader(RICH);
  worker = startWorker(server.ctx);
  const startedMs = performance.now();
  await mint('eth', 'out-of-nothing', trader.accountId);
  await expect
    .poll(async () => (await phases())['ethusdt'], { timeout: LIMIT_MS + BUSY_MS, interval: 50 })
    .toBe('halted');
  // On an idle machine it takes one to two seconds.
  expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS + BUSY_MS);
  await awaitProjection(server.ctx, { patienceMs: 8000 });
  const { ethusdt, ...others } = await phases();
  expect(ethusdt).toBe('halted');
  expect(new Set(Object.values(others))).toEqual(new Set(['continuous']));
});

it('the doctor says that something is broken, and what to do', async () => {
  const { text, isHealthy } = await runDoctor(testEnvironment(server.databaseUrl), true);
  expect(isHealthy).toBe(false);
  expect(text).toContain('deposit:SIMULATED:out-of-nothing');
});
