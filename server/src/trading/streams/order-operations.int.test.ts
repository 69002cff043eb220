import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { openStream, type StreamClient } from '../../testing/trading/stream.ts';
import type { Trader } from '../../testing/trader.ts';
import type { Order } from '../orders/order.ts';

let desk: Desk;
let trader: Trader;
let client: StreamClient;
beforeAll(async () => {
  desk = await openDesk({ settings: { STREAM_FRAMES_PER_SECOND_MAX: '10000' } });
});
beforeEach(async () => {
  trader = await desk.trader();
  client = await openStream(desk.server);
  await client.login(trader);
});
afterAll(() => desk.close());

const FAR = { ...LIMIT, price: '50000.00' };
const create = (params: object = {}) =>
  client.get<Order>('order.create', { params: { ...FAR, ...params } });

describe('order operations', () => {
  it('are the routes: each one’s result is what the route answers', async () => {
    const order = await create({ clientOrderId: 'a' });
    expect(resultOf(await desk.get(trader, 'order/get', { orderId: order.orderId }))).toEqual({
      ...order,
      trades: [],
    });
    const again = await client.ask('order.create', { params: { ...FAR, clientOrderId: 'a' } });
    expect(again).toMatchObject({ idempotentReplay: true, result: order });
    expect(await client.get('order.get', { params: { clientOrderId: 'a' } })).toEqual({
      ...order,
      trades: [],
    });
    expect(await client.get('order.open')).toEqual([order]);
    expect(await client.get('order.test', { params: FAR })).toMatchObject({ accepted: true });
    const amended = await client.get<Order>('order.amend', {
      params: { orderId: order.orderId, volume: '0.009' },
    });
    expect(amended).toMatchObject({ keptPriority: true, volume: '0.009000' });
    const replaced = await client.get<{ canceled: Order; created: Order }>('order.replace', {
      params: { orderId: order.orderId, ...FAR, price: '50001.00' },
    });
    expect(replaced.canceled.status).toBe('canceled');
    const { orderId } = replaced.created;
    expect(await client.get('order.cancel', { params: { orderId } })).toMatchObject({
      status: 'canceled',
    });
    const batch = await client.get<{ status: string; order: Order }[]>('order.create_batch', {
      params: { orders: [FAR, { ...FAR, volume: '0.000001' }, FAR] },
    });
    expect(batch.map(({ status }) => status)).toEqual(['true', 'false', 'true']);
    const canceled = await client.get<unknown[]>('order.cancel_batch', {
      params: { orderIds: [batch[0]?.order.orderId] },
    });
    expect(canceled).toMatchObject([{ status: 'true' }]);
    expect(await client.get('order.cancel_all')).toEqual({
      canceledCount: '1',
      orderIds: [batch[2]?.order.orderId],
    });
    const timer = await client.get<{ triggerTime: string }>('order.cancel_all_after', {
      params: { timeout: '60000' },
    });
    expect(timer.triggerTime).toMatch(/^\d{13}$/);
    await client.get('order.cancel_all_after', { params: { timeout: '0' } });
  });

  it('are refused as the routes refuse', async () => {
    const refused = async (op: string, params?: object) => {
      const answer = await client.ask(op, params === undefined ? {} : { params });
      expect(answer).toMatchObject({ status: 'false', result: null, op });
      return answer.error?.code;
    };
    expect(await refused('order.create')).toBe('2001');
    expect(await refused('order.create', { ...FAR, colour: 'red' })).toBe('2004');
    expect(await refused('order.create', { ...FAR, symbol: 'nothing' })).toBe('4001');
    expect(await refused('order.create', { ...FAR, volume: '0.00000001' })).toBe('4006');
    expect(await refused('order.cancel', { orderId: '1' })).toBe('4011');
    const { orderId } = await desk.place(await desk.trader(), FAR);
    expect(await refused('order.cancel', { orderId })).toBe('4011');
    expect(await refused('order.get', { orderId })).toBe('4011');
    expect(await refused('order.creat', FAR)).toBe('2002');
    const raw = client.ask('order.create', { params: { ...FAR, volume: 0.01 } });
    expect((await raw).error?.code).toBe('2007');
  });

  it('honour a timestamp if there is one', async () => {
    const now = Date.now();
    expect(await create({ timestamp: String(now) })).toMatchObject({ status: 'open' });
    for (const [params, code] of [
      [{ timestamp: String(now - 10_000) }, '3006'],
      [{ timestamp: String(now + 10_000) }, '3006'],
      [{ timestamp: 'yesterday' }, '3005'],
      [{ timestamp: String(now), recvWindow: '60001' }, '2003'],
    ] as const) {
      const answer = await client.ask('order.create', { params: { ...FAR, ...params } });
      expect(answer.error?.code).toBe(code);
    }
    const late = { timestamp: String(now - 10_000), recvWindow: '60000' };
    expect(await create(late)).toMatchObject({ status: 'open' });
  });

  it('run beside each other, and each answer has its id', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
    const orders = await Promise.all(names.map((clientOrderId) => create({ clientOrderId })));
    expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual(names);
  });

  it('are answered after the commit, and a read that follows a push sees at least its state', async () => {
    await client.get('subscribe', { channels: ['orders'] });
    await client.until((p) => p.type === 'snapshot');
    for (let n = 0; n < 10; n += 1) {
      const from = client.pushes.length;
      await client.get('order.create', { params: { ...FAR, clientOrderId: `p${n}` } });
      const push = await client.until(
        (p) => (p.data as Order).clientOrderId === `p${n}` && client.pushes.indexOf(p) >= from,
      );
      const history = resultOf<{ items: Order[] }>(
        await desk.get(trader, 'order/history', { limit: '1' }),
      );
      expect(history.items[0]).toEqual(push.data);
    }
  });
});

describe('the limit of the account', () => {
  it('counts operations together with requests', async () => {
    const strict = await openDesk({
      settings: { TRADING_RATE_LIMIT: '5', TRADING_RATE_WINDOW_MS: '60000' },
    });
    try {
      const own = await strict.venue.trader();
      const stream = await openStream(strict.server);
      await stream.login(own);
      const codes: (string | undefined)[] = [];
      for (let n = 0; n < 5; n += 1) codes.push((await stream.ask('order.open')).error?.code);
      expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined]);
      const refused = await stream.ask('order.open');
      expect(refused.error).toMatchObject({ code: '6001', details: { scope: 'account' } });
      await stream.close();
    } finally {
      await strict.close();
    }
  });
});
