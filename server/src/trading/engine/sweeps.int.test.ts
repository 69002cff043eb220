// Ending many orders takes many steps: other requests are served between them, a restart continues
// the sweep, and the caller gets the id of every order.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { askByRows, carryOut } from '../../testing/operator-rows.ts';
import { startTestEngine } from '../../testing/server.ts';
import { createEngineClient, type EngineClient } from './client.ts';
import type { ClientCommand, NewCommand } from './command.ts';
import type { EngineRole } from './run.ts';

const MARKET = { ...exampleMarket(), maxOpenOrders: 10_000 };
const DEEP = 10n ** 26n;
const SETUP: readonly NewCommand[] = [
  { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
  { type: 'list_coin', coin: 'usdt', networks: ['SIMULATED'] },
  { type: 'open_account', account: 1, parent: 1 },
  { type: 'open_account', account: 2, parent: 2 },
  ...[1, 2].map((to): NewCommand => ({
    type: 'credit_deposit',
    depositId: `d${to}`,
    network: 'SIMULATED',
    coin: 'usdt',
    to,
    amount: DEEP,
  })),
  { type: 'create_market', config: MARKET },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
];
const place = (account: number): ClientCommand => ({
  type: 'place',
  account,
  order: {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: 6_000_000,
    priceDecimals: 2,
    volume: 1000,
    volumeDecimals: 6,
  },
});

const clock = { setByMs: 0, now: () => Date.now() + clock.setByMs };
let test: TestContext;
let engine: EngineRole;
let client: EngineClient;
afterEach(async () => {
  await client.stop();
  await engine.stop();
  await test.close();
});

async function open(orders: number): Promise<void> {
  clock.setByMs = 0;
  test = await createTestContext({}, { clock });
  engine = await startTestEngine(test.ctx);
  const { bus, database, log, secrets } = test.ctx;
  const options = { clock, answerMs: 30_000, underWayMax: 100_000 };
  client = createEngineClient({ bus, log, secrets, pool: database.pool, ...options });
  await carryOut(test.ctx, SETUP);
  await Promise.all(Array.from({ length: orders }, () => client.submit(place(1))));
}

const openOrders = async (account = 1) => client.read('open', { account, limit: 10_000 });

async function awaitNoOrders(account = 1): Promise<void> {
  for (let i = 0; i < 1000 && (await openOrders(account)).length > 0; i += 1) await delay(10);
  expect(await openOrders(account)).toEqual([]);
}

async function countSweepRows(): Promise<number> {
  const { rows } = await test.ctx.database.pool.query<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM trading_journal WHERE commands LIKE '%{"type":"sweep"}%'`,
  );
  return rows[0]?.rows ?? 0;
}

it('a delisting ends its orders in bounded steps, each a row of the journal, and others are served between', async () => {
  await open(1000);
  const [delisted] = await askByRows(test.ctx, [
    '{"type":"set_phase","symbol":"btcusdt","phase":"delisted"}',
  ]);
  expect(delisted?.status).toBe('done');
  const { result } = await client.submit(place(2));
  expect(result).toMatchObject({ kind: 'rejected', rejection: { code: 4004 } });
  await awaitNoOrders();
  expect(await countSweepRows()).toBe(4);
});

it('after a restart a sweep ends the remaining orders, and none twice', async () => {
  await open(1000);
  const answer = client.submit({ type: 'cancel_all', account: 1 });
  const { result } = await answer;
  expect(result).toMatchObject({ kind: 'canceled_all', sweepId: 1 });
  await engine.stop();
  engine = await startTestEngine(test.ctx);
  await awaitNoOrders();
  const { rows } = await test.ctx.database.pool.query<{ commands: string }>(
    'SELECT commands FROM trading_journal ORDER BY seq',
  );
  expect(rows.filter(({ commands }) => commands.includes('"cancel_all"'))).toHaveLength(1);
  const [balance] = (await client.read('balances', { account: 1 })).filter(
    ({ coin }) => coin === 'usdt',
  );
  expect(balance).toMatchObject({ available: DEEP, hold: 0n });
});

it('only the account that cancels everything can read which orders were ended', async () => {
  await open(700);
  const placed = (await openOrders()).map(({ orderId }) => orderId);
  const { result } = await client.submit({ type: 'cancel_all', account: 1 });
  if (result.kind !== 'canceled_all') throw new Error('all are canceled');
  expect(result.orderIds).toHaveLength(200);
  const { sweepId } = result;
  await awaitNoOrders();
  const page = await client.read('sweep', { account: 1, sweepId, after: 200 });
  expect(page?.done).toBe(true);
  expect([...result.orderIds, ...(page?.orderIds ?? [])]).toEqual(placed);
  expect(await client.read('sweep', { account: 2, sweepId, after: 0 })).toBeNull();
  expect(await client.read('sweep', { account: 1, sweepId: 99, after: 0 })).toBeNull();
});

it('timers that ran out while no engine worked end their orders before any request is served', async () => {
  await open(900);
  await client.submit({ type: 'cancel_all_after', account: 1, timeoutMs: 60_000 });
  await engine.stop();
  clock.setByMs = 120_000;
  engine = await startTestEngine(test.ctx);
  expect(await openOrders()).toEqual([]);
});

it('neither a client nor a row may request a step', async () => {
  await open(0);
  await expect(client.submit({ type: 'sweep' } as unknown as ClientCommand)).rejects.toThrow(
    "'sweep' is not for clients",
  );
  const [ended] = await askByRows(test.ctx, ['{"type":"sweep"}']);
  expect(ended?.status).toBe('refused');
});
