// What the venue does while its tables do not follow: the projector of a running server is held, or there is none.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  codeOf,
  LIMIT,
  openDesk,
  placeOco,
  resultOf,
  type Desk,
} from '../../testing/trading/desk.ts';
import { holdProjector, type HeldProjector } from '../../testing/trading/held-projector.ts';
import type { Trader } from '../../testing/trader.ts';
import type { Order } from '../orders/order.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };

let desk: Desk;
let trader: Trader;
let held: HeldProjector | undefined;
beforeAll(async () => {
  desk = await openDesk({
    settings: {
      PROJECTION_WAIT_MAX_MS: '1500',
      PROJECTION_LAG_MAX_MS: '100',
      ENGINE_HEARTBEAT_MS: '50',
      LOG_LEVEL: 'silent',
    },
  });
  trader = await desk.trader();
});
afterEach(release);
afterAll(() => desk.close());

async function release(): Promise<void> {
  await held?.release();
  held = undefined;
}

const tryPlace = () => desk.post(trader, 'order/create', { ...LIMIT, price: '60000.00' });

/** Places orders until one is refused; returns the answer to that one. */
async function placeUntilRefused() {
  let answer = await tryPlace();
  await expect
    .poll(async () => {
      answer = await tryPlace();
      return answer.status;
    }, PATIENCE)
    .toBe(503);
  return answer;
}

/** All of them, and not some. */
const untilNoneIsTaken = () =>
  expect.poll(() => gauge('rialto_engine_held_back_ratio'), PATIENCE).toBe(1);

const untilAllAreTaken = () =>
  expect.poll(() => gauge('rialto_engine_held_back_ratio'), PATIENCE).toBe(0);

async function gauge(name: string): Promise<number> {
  const { body } = await desk.server.ctx.metrics.render();
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(body)?.[1]);
}

it('new orders are refused with the reason when the tables stand still, and ending orders is not', async () => {
  const resting = await desk.place(trader, { price: '60000.00' });
  const other = await desk.place(trader, { price: '60000.00' });
  held = await holdProjector(desk.server.ctx);
  const refused = await placeUntilRefused();
  expect(codeOf(refused)).toBe('1001');
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(JSON.stringify(refused.body)).toContain('The tables of orders and trades are behind');
  await untilNoneIsTaken();
  // Everything that would make rows as often as a client wants.
  const { orderId } = resting;
  const before = await openOrders();
  for (const answer of [
    await tryPlace(),
    await placeOco(desk, trader).catch((error: unknown) => error),
    await desk.post(trader, 'order/amend', { orderId: orderId, price: '59000.00' }),
  ]) {
    expect(JSON.stringify(answer instanceof Error ? answer.message : answer)).toContain('1001');
  }
  expect(await openOrders()).toEqual(before);
  // Ending orders, reading, and operators.
  expect((await desk.delete(trader, 'order/cancel', { orderId: orderId })).status).toBe(200);
  const canceled = await desk.get(trader, 'order/get', { orderId: orderId });
  expect(resultOf<Order>(canceled).status).toBe('canceled');
  await desk.venue.setPhase('ethusdt', 'halted');
  await desk.venue.setPhase('ethusdt', 'continuous');
  await cancelAll();
  expect(await openOrders()).not.toContain(other.orderId);
  expect(await gauge('rialto_engine_held_back_total')).toBeGreaterThan(0);
  expect(await gauge('rialto_engine_tables_wait_seconds')).toBeGreaterThan(1);
  await release();
  // It recovers by itself.
  await untilAllAreTaken();
  expect((await tryPlace()).status).toBe(200);
  await cancelAll();
});

const cancelAll = async () => {
  expect((await desk.delete(trader, 'order/cancel_all')).status).toBe(200);
};

const openOrders = async (): Promise<string[]> => {
  const { body } = await desk.get(trader, 'order/open');
  const { result } = body as { result: Order[] | { items: Order[] } };
  return (Array.isArray(result) ? result : result.items).map((order) => order.orderId);
};

it('a moment without a projector is not noticed', async () => {
  held = await holdProjector(desk.server.ctx);
  for (let n = 0; n < 5; n += 1) expect((await tryPlace()).status).toBe(200);
  await release();
  await untilAllAreTaken();
  await cancelAll();
});

it('an engine that takes over while the tables stand still counts anew, and comes to the same', async () => {
  held = await holdProjector(desk.server.ctx);
  await placeUntilRefused();
  await untilNoneIsTaken();
  await desk.server.restartEngine();
  // For as long as the limit the new engine cannot know that nobody writes them.
  await expect.poll(async () => (await tryPlace()).status, PATIENCE).toBe(200);
  await untilNoneIsTaken();
  expect((await tryPlace()).status).toBe(503);
  await release();
  await untilAllAreTaken();
  await expect.poll(async () => (await tryPlace()).status, PATIENCE).toBe(200);
  await cancelAll();
});
