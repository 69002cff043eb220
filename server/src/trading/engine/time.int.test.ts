// An engine with timers and expiries on a machine whose clock is changed by hand.
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { carryOut } from '../../testing/operator-rows.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import type { ClientCommand, NewCommand } from './command.ts';
import type { EngineRole } from './run.ts';

const HOUR = 3_600_000;
const SETUP: readonly NewCommand[] = [
  { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
  { type: 'list_coin', coin: 'usdt', networks: ['SIMULATED'] },
  { type: 'open_account', account: 1, parent: 1 },
  {
    type: 'credit_deposit',
    depositId: 'd',
    network: 'SIMULATED',
    coin: 'usdt',
    to: 1,
    amount: 10n ** 24n,
  },
  { type: 'create_market', config: exampleMarket() },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
];
const place = (terms: object = {}): ClientCommand => ({
  type: 'place',
  account: 1,
  order: {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 6_000_000,
    priceDecimals: 2,
    volume: 1000,
    volumeDecimals: 6,
    ...terms,
  },
});

/** Added to this machine's time, as if somebody had changed its clock. */
let setByMs = 0;
const clock = { now: () => Date.now() + setByMs };
let logged: string[];
let test: TestContext;
let engine: EngineRole;
let client: EngineClient;

async function open(): Promise<void> {
  setByMs = 0;
  logged = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  test = await createTestContext({ ENGINE_HEARTBEAT_MS: '50' }, { clock, log });
  engine = await startTestEngine(test.ctx);
  const { bus, database, secrets } = test.ctx;
  client = createEngineClient({
    bus,
    log,
    secrets,
    clock,
    pool: database.pool,
    answerMs: 10_000,
    underWayMax: 1000,
  });
  await carryOut(test.ctx, SETUP);
}
afterEach(async () => {
  await client.stop();
  await engine.stop();
  await test.close();
});

const openOrders = () => client.read('open', { account: 1, limit: 10 });
const restart = async () => {
  await engine.stop();
  engine = await startTestEngine(test.ctx);
};
const offset = async () => {
  const { rows } = await test.ctx.database.pool.query<{ ms: bigint }>(
    'SELECT clock_offset_ms AS ms FROM trading_leases',
  );
  return Number(rows[0]?.ms);
};

it.each([-HOUR, HOUR])(
  'a clock set by %i ms fires no timer early and stops none',
  async (stepMs) => {
    await open();
    const startedMs = performance.now();
    await client.submit(place());
    await client.submit(place({ timeInForce: 'GTD', expireTime: Date.now() + 60_000 }));
    await client.submit({ type: 'cancel_all_after', account: 1, timeoutMs: 5000 });
    setByMs = stepMs;
    // Every message and deadline of a process on the same machine has the new time.
    const again = await client.submit(place(), { deadlineMs: clock.now() + 5000 });
    expect(again.result.kind).toBe('placed');
    await delay(2500);
    if (performance.now() - startedMs < 4500) expect(await openOrders()).toHaveLength(3);
    await expect.poll(openOrders, { timeout: 10_000 }).toEqual([]);
    expect(performance.now() - startedMs).toBeGreaterThan(4900);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    // Messages from another machine, whose clock is right, are accepted as well.
    setByMs = 0;
    const other = await client.submit(place(), { deadlineMs: Date.now() + 5000 });
    expect(other.result.kind).toBe('placed');
    setByMs = stepMs;
    await expect.poll(async () => Math.round((await offset()) / HOUR)).toBe(stepMs / HOUR);
    const gauge = async () => {
      const { body } = await test.ctx.metrics.render();
      return Number(/rialto_engine_clock_offset_seconds\{.*\} (\S+)/.exec(body)?.[1]) * 1000;
    };
    await expect.poll(async () => Math.round((await gauge()) / HOUR)).toBe(stepMs / HOUR);
    expect(logged.some((line) => line.includes('set the clock right'))).toBe(true);
  },
  40_000,
);

it('timers that fell due without an engine fire at the takeover', async () => {
  await open();
  await client.submit(place({ timeInForce: 'GTD', expireTime: Date.now() + 60_000 }));
  await engine.stop();
  setByMs = HOUR;
  engine = await startTestEngine(test.ctx);
  expect(await openOrders()).toEqual([]);
  expect(Math.abs(await offset())).toBeLessThan(1000);
});

it('a takeover by a clock that is behind the journal continues from the journal’s time', async () => {
  await open();
  await client.submit(place());
  await client.submit({ type: 'cancel_all_after', account: 1, timeoutMs: 5000 });
  setByMs = -HOUR;
  const startedMs = performance.now();
  await restart();
  expect((await client.submit(place())).result.kind).toBe('placed');
  await expect.poll(openOrders, { timeout: 15_000 }).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(15_000);
}, 30_000);
