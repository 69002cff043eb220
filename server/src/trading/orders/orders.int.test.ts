import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hmacHex, type Trader } from '../../testing/trader.ts';
import type { Balance } from '../account/shapes.ts';
import type { Order } from './order.ts';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { MyTrade } from './trade.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

type Filled = Order & { trades: MyTrade[] };

const balanceOf = async (trader: Trader, coin: string): Promise<Balance> => {
  const [balance] = resultOf<Balance[]>(await desk.get(trader, 'account/balances', { coin }));
  if (balance === undefined) throw new Error('a coin has a balance');
  return balance;
};

describe('create', () => {
  it('rests in the book and holds what it would give', async () => {
    const maker = await desk.trader();
    const order = await desk.place(maker, { clientOrderId: 'desk-a-1' });
    expect(order).toMatchObject({
      clientOrderId: 'desk-a-1',
      symbol: 'btcusdt',
      price: '64000.00',
      volume: '0.010000',
      remainingVolume: '0.010000',
      filledVolume: '0.000000',
      filledTotal: '0',
      averagePrice: '',
      status: 'open',
      timeInForce: 'GTC',
      isWorking: true,
    });
    expect(await balanceOf(maker, 'usdt')).toMatchObject({
      available: '9999360',
      hold: '640',
      total: '10000000',
    });
    await desk.delete(maker, 'order/cancel', { orderId: order.orderId });
    expect(await balanceOf(maker, 'usdt')).toMatchObject({ available: '10000000', hold: '0' });
  });

  it('is asked of the engine, like everything below, on behalf of the account and the signing key', async () => {
    const maker = await desk.trader();
    const { bus } = desk.server.ctx;
    const { request } = bus;
    const heard: string[] = [];
    bus.request = (subject, payload, timeoutMs) => {
      heard.push(...payload.split('\n').slice(1));
      return request(subject, payload, timeoutMs);
    };
    try {
      const { orderId } = await desk.place(maker);
      await desk.post(maker, 'order/test', { ...LIMIT });
      await desk.post(maker, 'order/amend', { orderId, price: '63000.00' });
      await desk.delete(maker, 'order/cancel', { orderId });
      await desk.delete(maker, 'order/cancel_all', {});
    } finally {
      bus.request = request;
    }
    const commands = heard.filter((line) => line.startsWith('c'));
    expect(commands.length).toBeGreaterThanOrEqual(5);
    const by = new RegExp(`^c\\d+ ${maker.accountId} ${maker.keyId} \\{`);
    for (const line of commands) expect(line).toMatch(by);
  });

  it('answers ids, the order, or the order with its trades', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    await desk.place(maker, { side: 'sell', volume: '0.030000' });
    const params = { ...LIMIT };
    const ack = resultOf<object>(
      await desk.post(taker, 'order/create', { ...params, responseType: 'ack' }),
    );
    expect(Object.keys(ack).sort()).toEqual(
      ['clientOrderId', 'createdAt', 'engineSeq', 'orderId', 'symbol'].sort(),
    );
    const result = resultOf<Filled>(await desk.post(taker, 'order/create', params));
    expect(result).toMatchObject({ status: 'filled', filledTotal: '640', averagePrice: '64000' });
    expect(result.trades).toBeUndefined();
    const full = resultOf<Filled>(
      await desk.post(taker, 'order/create', { ...params, responseType: 'full' }),
    );
    expect(full.trades).toHaveLength(1);
    expect(full.trades[0]).toMatchObject({
      orderId: full.orderId,
      side: 'buy',
      price: '64000.00',
      volume: '0.010000',
      total: '640',
      fee: '0.000015',
      feeCurrency: 'btc',
      feeRate: '0.0015',
      isMaker: false,
    });
    // What get reads from the projection equals what create answered from the engine.
    const got = resultOf<Filled>(await desk.get(taker, 'order/get', { orderId: full.orderId }));
    expect(got).toEqual(full);
  });

  it('a market buy by total spends no more than that, and returns the rest', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    await desk.place(maker, { side: 'sell', price: '64100.00', volume: '1' });
    const { price: _, volume: __, ...rest } = LIMIT;
    const order = resultOf<Order>(
      await desk.post(taker, 'order/create', { ...rest, type: 'market', total: '100' }),
    );
    expect(order).toMatchObject({
      type: 'market',
      timeInForce: '',
      price: '',
      volume: '',
      total: '100',
      status: 'filled',
      filledVolume: '0.001560',
      filledTotal: '99.996',
    });
    expect(await balanceOf(taker, 'usdt')).toMatchObject({ hold: '0', total: '9999900.004' });
  });

  it('a JSON body with numbers as texts works like a query string', async () => {
    const maker = await desk.trader();
    const members = { ...LIMIT, postOnly: 'true', timestamp: String(Date.now()) };
    // A boolean in JSON is signed as its word.
    const body = JSON.stringify({ ...members, postOnly: true });
    const text = new URLSearchParams(members).toString();
    const response = await fetch(`${desk.server.baseUrl}/private/order/create`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-SVC-APIKEY': maker.keyId,
        'X-SVC-SIGNATURE': hmacHex(maker.secret, text),
      },
      body,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { postOnly: true, status: 'open' } });
  });

  it('a conditional order waits, triggers, and is then an order of the book', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    await desk.place(maker, { side: 'sell', price: '64000.00' });
    await desk.place(taker, { price: '64000.00' });
    const stop = await desk.place(taker, {
      type: 'stop_limit',
      stopPrice: '64500.00',
      price: '64600.00',
    });
    expect(stop).toMatchObject({ status: 'pending', isWorking: false, stopPrice: '64500.00' });
    await desk.place(maker, { side: 'sell', price: '64500.00' });
    await desk.place(taker, { price: '64500.00' });
    const now = resultOf<Order>(await desk.get(taker, 'order/get', { orderId: stop.orderId }));
    expect(now).toMatchObject({ status: 'open', isWorking: true });
    expect(now.triggeredAt).toMatch(/^\d{13}$/);
  });
});

describe('a client id', () => {
  it('stands for one order: a repeat answers that order as it is now', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    const params = { ...LIMIT, side: 'sell', clientOrderId: 'once' };
    const first = await desk.post(maker, 'order/create', params);
    expect(first.headers.get('x-svc-idempotent-replay')).toBeNull();
    const order = resultOf<Order>(first);
    await desk.place(taker, { volume: '0.004' });
    const again = await desk.post(maker, 'order/create', {
      ...params,
      price: '64000',
      volume: '0.01',
    });
    expect(again.status).toBe(200);
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(resultOf<Order>(again)).toMatchObject({
      orderId: order.orderId,
      status: 'partially_filled',
      filledVolume: '0.004000',
    });
    const full = await desk.post(maker, 'order/create', { ...params, responseType: 'full' });
    expect(resultOf<Filled>(full).trades).toHaveLength(1);
    const other = await desk.post(maker, 'order/create', { ...params, volume: '0.02' });
    expect(other.status).toBe(409);
    expect(other.body.error).toMatchObject({
      code: '4012',
      details: { clientOrderId: 'once', orderId: order.orderId },
    });
    // An amended order still counts as what the first request asked for.
    await desk.post(maker, 'order/amend', { clientOrderId: 'once', price: '64010.00' });
    const amended = await desk.post(maker, 'order/create', params);
    expect(resultOf<Order>(amended)).toMatchObject({ orderId: order.orderId, price: '64010.00' });
    // Another account has its own ids.
    const stranger = await desk.place(taker, { clientOrderId: 'once', price: '60000.00' });
    expect(stranger.orderId).not.toBe(order.orderId);
  });
});

describe('test', () => {
  it('shows what would happen and does nothing', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    await desk.place(maker, { side: 'sell', volume: '0.004' });
    await desk.place(maker, { side: 'sell', volume: '1', price: '64001.00' });
    const tested = await desk.post(taker, 'order/test', { ...LIMIT, price: '64002.00' });
    expect(resultOf(tested)).toEqual({
      accepted: true,
      estimatedFills: [
        { price: '64000.00', volume: '0.004000' },
        { price: '64001.00', volume: '0.006000' },
      ],
      estimatedFee: '0.000015',
      feeCurrency: 'btc',
      hold: '640.02',
      holdCurrency: 'usdt',
    });
    expect(resultOf(await desk.get(taker, 'order/open'))).toEqual([]);
    expect(await balanceOf(taker, 'usdt')).toMatchObject({ hold: '0', available: '10000000' });
    expect(codeOf(await desk.post(taker, 'order/test', { ...LIMIT, price: '1.001' }))).toBe('4005');
  });
});

interface Item {
  status: string;
  order?: Order;
  error?: { code: string; details: Record<string, string> };
}

describe('batches', () => {
  const orders = (...changes: Record<string, string>[]) =>
    JSON.stringify(changes.map((one) => ({ ...LIMIT, ...one })));

  it('independent orders each have their own result, at their own position', async () => {
    const maker = await desk.trader();
    const items = resultOf<Item[]>(
      await desk.post(maker, 'order/create_batch', {
        orders: orders(
          { clientOrderId: 'b-1' },
          { price: '64000.001' },
          { symbol: 'nope' },
          { clientOrderId: 'b-1' },
          { clientOrderId: 'b-1', volume: '1' },
          { price: '0.000000000000000000001' },
          { price: '63000.00', responseType: 'ack' },
        ),
      }),
    );
    expect(items.map(({ status, error }) => error?.code ?? status)).toEqual([
      'true',
      '4005',
      '4001',
      'true',
      '4012',
      '4005',
      'true',
    ]);
    expect(items[3]?.order?.orderId).toBe(items[0]?.order?.orderId);
    expect(items[6]?.order?.status).toBeUndefined();
    expect(resultOf<Order[]>(await desk.get(maker, 'order/open'))).toHaveLength(2);
  });

  it('all or none: one refusal refuses all, and names the order', async () => {
    const maker = await desk.trader();
    const send = (text: string) =>
      desk.post(maker, 'order/create_batch', { orders: text, mode: 'all_or_none' });
    const refused = await send(orders({ clientOrderId: 'n-1' }, { volume: '900' }));
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: '5001',
      details: { index: '1', coin: 'usdt', required: '57600000', available: '9999360' },
    });
    const unreadable = await send(orders({}, {}, { symbol: 'nope' }));
    expect(unreadable.body.error).toMatchObject({ code: '4001', details: { index: '2' } });
    expect(resultOf(await desk.get(maker, 'order/open'))).toEqual([]);
    const items = resultOf<Item[]>(await send(orders({ clientOrderId: 'n-1' }, {})));
    expect(items.map(({ status }) => status)).toEqual(['true', 'true']);
    const again = resultOf<Item[]>(await send(orders({ clientOrderId: 'n-1' }, {})));
    expect(again[0]?.order?.orderId).toBe(items[0]?.order?.orderId);
    expect(resultOf<Order[]>(await desk.get(maker, 'order/open'))).toHaveLength(3);
    const other = await send(orders({}, { clientOrderId: 'n-1', volume: '1' }));
    expect(other.body.error).toMatchObject({ code: '4012', details: { index: '1' } });
  });

  it('a batch has 1 to 20 orders, and its problems name their position', async () => {
    const maker = await desk.trader();
    const send = (text: string) => desk.post(maker, 'order/create_batch', { orders: text });
    expect(codeOf(await send('[]'))).toBe('2003');
    expect(codeOf(await send(JSON.stringify(Array.from({ length: 21 }, () => LIMIT))))).toBe(
      '2003',
    );
    const bad = await send(JSON.stringify([LIMIT, { ...LIMIT, side: 'hold' }]));
    expect(bad.body.error).toMatchObject({
      code: '2002',
      details: { parameter: 'orders[1].side' },
    });
  });

  it('canceling several answers for each', async () => {
    const [maker, other] = [await desk.trader(), await desk.trader()];
    const one = await desk.place(maker);
    const two = await desk.place(maker, { clientOrderId: 'c-2' });
    const foreign = await desk.place(other);
    const items = resultOf<Item[]>(
      await desk.post(maker, 'order/cancel_batch', {
        orderIds: JSON.stringify([one.orderId, foreign.orderId, one.orderId]),
        clientOrderIds: JSON.stringify(['c-2', 'never']),
      }),
    );
    expect(items.map(({ order, error }) => error?.code ?? order?.status)).toEqual([
      'canceled',
      '4011',
      '4013',
      'canceled',
      '4011',
    ]);
    expect(items[3]?.order?.orderId).toBe(two.orderId);
    expect(items[2]?.error?.details).toMatchObject({ order: { orderId: one.orderId } });
    expect(codeOf(await desk.post(maker, 'order/cancel_batch', {}))).toBe('2001');
    const many = JSON.stringify(Array.from({ length: 30 }, (_, index) => String(index)));
    const both = { orderIds: many, clientOrderIds: many };
    expect(codeOf(await desk.post(maker, 'order/cancel_batch', both))).toBe('2003');
  });
});

describe('cancel', () => {
  it('by either id, of one market, only in one state', async () => {
    const maker = await desk.trader();
    const order = await desk.place(maker, { clientOrderId: 'gone' });
    const cancel = (params: Record<string, string>) => desk.delete(maker, 'order/cancel', params);
    expect(codeOf(await cancel({}))).toBe('2001');
    expect(codeOf(await cancel({ orderId: order.orderId, clientOrderId: 'gone' }))).toBe('2009');
    expect(codeOf(await cancel({ orderId: order.orderId, symbol: 'ethusdt' }))).toBe('4011');
    const state = await cancel({ orderId: order.orderId, onlyIf: 'partially_filled' });
    expect(state.body.error).toMatchObject({
      code: '2009',
      details: { order: { status: 'open' } },
    });
    const gone = resultOf<Order>(await cancel({ clientOrderId: 'gone', onlyIf: 'open' }));
    expect(gone).toMatchObject({ status: 'canceled', statusReason: 'user', isWorking: false });
    const final = await cancel({ orderId: order.orderId });
    expect(final.status).toBe(409);
    expect(final.body.error).toMatchObject({
      code: '4013',
      details: { order: { orderId: order.orderId, status: 'canceled' } },
    });
    expect(codeOf(await cancel({ orderId: '9999999999999999' }))).toBe('4011');
  });

  it('all, or all of one side or one market', async () => {
    const maker = await desk.trader();
    const buy = await desk.place(maker, { price: '60000.00' });
    const sell = await desk.place(maker, { side: 'sell', price: '70000.00' });
    const eth = await desk.place(maker, { symbol: 'ethusdt', price: '3000.00', volume: '1' });
    const all = async (params = {}) =>
      resultOf(await desk.delete(maker, 'order/cancel_all', params));
    expect(await all({ side: 'sell' })).toEqual({ canceledCount: '1', orderIds: [sell.orderId] });
    expect(await all({ symbol: 'ETHUSDT' })).toEqual({
      canceledCount: '1',
      orderIds: [eth.orderId],
    });
    expect(await all()).toEqual({ canceledCount: '1', orderIds: [buy.orderId] });
    expect(await all()).toEqual({ canceledCount: '0', orderIds: [] });
    expect(codeOf(await desk.delete(maker, 'order/cancel_all', { symbol: 'nope' }))).toBe('4001');
  });

  it('cancel_all of more orders than the engine ends in one step names every one of them', async () => {
    const trader = await desk.trader();
    const placed: string[] = [];
    for (const [symbol, price] of [
      ['btcusdt', '60000.00'],
      ['ethusdt', '3000.00'],
    ] as const) {
      const orders = JSON.stringify(
        Array.from({ length: 20 }, () => ({ ...LIMIT, symbol, price, volume: '0.010000' })),
      );
      for (let i = 0; i < 7; i += 1) {
        const items = resultOf<Item[]>(await desk.post(trader, 'order/create_batch', { orders }));
        for (const { order } of items) placed.push(order?.orderId ?? '');
      }
    }
    expect(resultOf(await desk.delete(trader, 'order/cancel_all'))).toEqual({
      canceledCount: String(placed.length),
      orderIds: placed,
    });
    expect(resultOf<Order[]>(await desk.get(trader, 'order/open'))).toEqual([]);
  });

  it('all after a silence, unless disarmed', async () => {
    const maker = await desk.trader();
    const arm = async (timeout: string) => {
      const answer = await desk.post(maker, 'order/cancel_all_after', { timeout });
      return resultOf<{ triggerTime: string }>(answer).triggerTime;
    };
    const order = await desk.place(maker);
    expect(Number(await arm('300000')) - Date.now()).toBeGreaterThan(290_000);
    expect(await arm('0')).toBe('');
    const dueMs = Number(await arm('5000'));
    expect(codeOf(await desk.post(maker, 'order/cancel_all_after', { timeout: '4999' }))).toBe(
      '2003',
    );
    expect(codeOf(await desk.post(maker, 'order/cancel_all_after', { timeout: '300001' }))).toBe(
      '2003',
    );
    await delay(dueMs - Date.now() + 700);
    const after = resultOf<Order>(await desk.get(maker, 'order/get', { orderId: order.orderId }));
    expect(after).toMatchObject({ status: 'canceled', statusReason: 'dead_man' });
  });
});

describe('amend', () => {
  it('lowering the volume keeps the place in the queue, other changes do not', async () => {
    const maker = await desk.trader();
    const order = await desk.place(maker, { price: '60000.00', clientOrderId: 'amend-me' });
    const amend = async (params: Record<string, string>) =>
      desk.post(maker, 'order/amend', { orderId: order.orderId, ...params });
    type Amended = Order & { keptPriority: boolean };
    expect(resultOf<Amended>(await amend({ volume: '0.005' }))).toMatchObject({
      orderId: order.orderId,
      volume: '0.005000',
      remainingVolume: '0.005000',
      keptPriority: true,
    });
    expect(resultOf<Amended>(await amend({ price: '60001.00' }))).toMatchObject({
      price: '60001.00',
      keptPriority: false,
    });
    expect((await balanceOf(maker, 'usdt')).hold).toBe('300.005');
    expect(codeOf(await amend({ price: '60001' }))).toBe('4019');
    expect(codeOf(await amend({}))).toBe('2001');
    expect(codeOf(await amend({ price: '60001.001' }))).toBe('4005');
    expect(codeOf(await amend({ price: '60001.0000000000000000001' }))).toBe('4005');
    expect(codeOf(await amend({ volume: '900' }))).toBe('5001');
    expect(codeOf(await amend({ stopPrice: '1' }))).toBe('2009');
    const band = await amend({ price: '99999.00' });
    expect(band.body.error).toMatchObject({ code: '4009', details: { parameter: 'price' } });
    expect(
      codeOf(await desk.post(maker, 'order/amend', { clientOrderId: 'no', volume: '1' })),
    ).toBe('4011');
    await desk.delete(maker, 'order/cancel', { orderId: order.orderId });
    expect((await amend({ volume: '0.001' })).body.error).toMatchObject({
      code: '4013',
      details: { status: 'canceled', order: { orderId: order.orderId } },
    });
  });

  it('with an id is made once, and its repetition answers the order as it is now', async () => {
    const maker = await desk.trader();
    const { orderId } = await desk.place(maker, { price: '60000.00' });
    const amend = (params: Record<string, string>) =>
      desk.post(maker, 'order/amend', { orderId, ...params });
    const first = await amend({ amendId: 'lower-1', volume: '0.005' });
    expect(first.headers.get('x-svc-idempotent-replay')).toBeNull();
    expect(resultOf(first)).toMatchObject({ volume: '0.005000', keptPriority: true });
    await amend({ amendId: 'move', price: '60001.00' });
    // The same number, written with other decimals.
    const again = await amend({ amendId: 'lower-1', volume: '0.00500' });
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(resultOf(again)).toMatchObject({
      orderId,
      volume: '0.005000',
      price: '60001.00',
      keptPriority: true,
    });
    expect((await amend({ amendId: 'lower-1', volume: '0.006' })).body.error).toMatchObject({
      code: '5011',
      name: 'CLIENT_ID_CONFLICT',
      details: { id: 'lower-1' },
    });
    expect(codeOf(await amend({ amendId: 'lower-1' }))).toBe('2001');
    expect(codeOf(await amend({ amendId: 'x'.repeat(37), volume: '0.004' }))).toBe('2002');
    expect(codeOf(await amend({ amendId: 'a b', volume: '0.004' }))).toBe('2002');
    // What was refused is not remembered, and another order has ids of its own.
    expect(codeOf(await amend({ amendId: 'refused', volume: '900' }))).toBe('5001');
    expect(resultOf(await amend({ amendId: 'refused', volume: '0.004' }))).toMatchObject({
      volume: '0.004000',
    });
    const other = await desk.place(maker, { price: '60000.00' });
    const theirs = { orderId: other.orderId, amendId: 'lower-1', volume: '0.007' };
    expect(resultOf(await desk.post(maker, 'order/amend', theirs))).toMatchObject({
      volume: '0.007000',
    });
    // A stranger learns nothing from the id.
    const stranger = await desk.trader();
    const foreign = { orderId, amendId: 'lower-1', volume: '0.005' };
    expect(codeOf(await desk.post(stranger, 'order/amend', foreign))).toBe('4011');
    await desk.delete(maker, 'order/cancel', { orderId });
    const late = await amend({ amendId: 'move', price: '60001.00' });
    expect(late.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(resultOf(late)).toMatchObject({ status: 'canceled', keptPriority: false });
    expect(codeOf(await amend({ amendId: 'new', volume: '0.001' }))).toBe('4013');
  });

  it('to the filled volume or less cancels the rest', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    const order = await desk.place(maker, { side: 'sell' });
    await desk.place(taker, { volume: '0.004' });
    const amended = await desk.post(maker, 'order/amend', {
      orderId: order.orderId,
      volume: '0.004',
    });
    expect(resultOf(amended)).toMatchObject({
      status: 'canceled',
      statusReason: 'amended_to_filled',
      filledVolume: '0.004000',
    });
  });
});

describe('reading back', () => {
  it('another account’s order does not exist for any order endpoint', async () => {
    const [owner, stranger] = [await desk.trader(), await desk.trader()];
    const order = await desk.place(owner, { clientOrderId: 'mine', price: '60000.00' });
    for (const name of [{ orderId: order.orderId }, { clientOrderId: 'mine' }]) {
      expect(codeOf(await desk.get(stranger, 'order/get', name))).toBe('4011');
      expect(codeOf(await desk.delete(stranger, 'order/cancel', name))).toBe('4011');
      expect(codeOf(await desk.post(stranger, 'order/amend', { ...name, volume: '1' }))).toBe(
        '4011',
      );
      expect(resultOf(await desk.get(owner, 'order/get', name))).toEqual({ ...order, trades: [] });
    }
    expect(resultOf(await desk.get(stranger, 'order/open'))).toEqual([]);
    expect(resultOf(await desk.get(stranger, 'order/history'))).toEqual({
      items: [],
      nextCursor: '',
    });
    const trades = await desk.get(stranger, 'order/trades', { orderId: order.orderId });
    expect(resultOf(trades)).toEqual({ items: [], nextCursor: '' });
    expect(resultOf(await desk.get(owner, 'order/open', { symbol: 'btcusdt' }))).toEqual([order]);
    expect(resultOf(await desk.get(owner, 'order/open', { symbol: 'ethusdt' }))).toEqual([]);
    expect(codeOf(await desk.get(owner, 'order/open', { symbol: 'nope' }))).toBe('4001');
  });

  interface PageOf<T> {
    items: T[];
    nextCursor: string;
  }
  async function pages<T>(trader: Trader, path: string, params: Record<string, string>) {
    const items: T[] = [];
    let cursor = '';
    for (let count = 0; count < 50; count += 1) {
      const page: PageOf<T> = resultOf(
        await desk.get(trader, path, { ...params, ...(cursor === '' ? {} : { cursor }) }),
      );
      items.push(...page.items);
      if (page.nextCursor === '') return items;
      cursor = page.nextCursor;
    }
    throw new Error('the pages do not end');
  }

  it('history and trades have every order and trade once, whatever the page size', async () => {
    const [maker, taker] = [await desk.trader(), await desk.trader()];
    const placed: Order[] = [];
    for (let count = 0; count < 12; count += 1) {
      const isSell = count % 3 === 0;
      placed.push(
        await desk.place(maker, {
          side: isSell ? 'sell' : 'buy',
          price: isSell ? '64000.00' : '60000.00',
          clientOrderId: `h-${count}`,
        }),
      );
      if (isSell) await desk.place(taker, { volume: count === 3 ? '0.005' : '0.01' });
    }
    const ids = placed.map(({ orderId }) => orderId);
    for (const limit of ['1', '5', '12', '500']) {
      const found = await pages<Order>(maker, 'order/history', { limit });
      expect(found.map(({ orderId }) => orderId)).toEqual(ids.toReversed());
    }
    const from = placed[4]?.createdAt ?? '';
    const to = placed[9]?.createdAt ?? '';
    const between = await pages<Order>(maker, 'order/history', { limit: '2', from, to });
    const expected = placed.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    expect(between.map(({ orderId }) => orderId)).toEqual(expected.map(({ orderId }) => orderId));
    const live = await pages<Order>(maker, 'order/history', {
      status: 'open',
      side: 'buy',
      sort: 'asc',
    });
    expect(live).toHaveLength(8);
    expect(live).toEqual(
      resultOf<Order[]>(await desk.get(maker, 'order/open')).filter((o) => o.side === 'buy'),
    );
    expect(await pages(maker, 'order/history', { type: 'market' })).toEqual([]);
    expect(await pages(maker, 'order/history', { symbol: 'ethusdt' })).toEqual([]);

    const mine = await pages<MyTrade>(maker, 'order/trades', { limit: '2' });
    const theirs = await pages<MyTrade>(taker, 'order/trades', { limit: '3', sort: 'asc' });
    expect(mine.map(({ tradeId }) => tradeId)).toEqual(
      theirs.map(({ tradeId }) => tradeId).toReversed(),
    );
    expect(mine).toHaveLength(6);
    expect(mine.every(({ isMaker, side }) => isMaker && side === 'sell')).toBe(true);
    const fromId = mine[2]?.tradeId ?? '';
    const later = await pages<MyTrade>(maker, 'order/trades', { fromId, limit: '1' });
    expect(later).toEqual(mine.slice(0, 3).toReversed());
    const partly = mine.filter(({ clientOrderId }) => clientOrderId === 'h-3');
    const ofOrder = await pages<MyTrade>(maker, 'order/trades', { orderId: ids[3] ?? '' });
    expect(ofOrder).toEqual(partly);

    // Every trade is in the ledger of both, with its fee, and the last balance is the present one.
    interface Entry {
      coin: string;
      kind: string;
      direction: string;
      amount: string;
      balanceBefore: string;
      balanceAfter: string;
      referenceId: string;
    }
    const ledger = await pages<Entry>(maker, 'account/ledger', { coin: 'usdt', limit: '4' });
    expect(ledger[0]?.balanceAfter).toBe((await balanceOf(maker, 'usdt')).total);
    for (const [index, entry] of ledger.slice(1).entries()) {
      expect(ledger[index]?.balanceBefore).toBe(entry.balanceAfter);
    }
    const tradesIn = await pages<Entry>(maker, 'account/ledger', { kind: 'trade', coin: 'usdt' });
    expect(
      tradesIn.map(({ referenceId, amount, direction }) => [referenceId, amount, direction]),
    ).toEqual(mine.map(({ tradeId, total }) => [tradeId, total, 'in']));
    const fees = await pages<Entry>(maker, 'account/ledger', { kind: 'trade_fee' });
    expect(fees.map(({ referenceId, amount }) => [referenceId, amount])).toEqual(
      mine.map(({ tradeId, fee }) => [tradeId, fee]),
    );
    expect(codeOf(await desk.get(maker, 'account/ledger', { coin: 'doge' }))).toBe('4002');

    const info = resultOf<{ volume30d: string }>(await desk.get(maker, 'account/info'));
    const traded = mine.reduce((sum, { total }) => sum + Number(total), 0);
    expect(Number(info.volume30d)).toBe(traded);

    const page = resultOf<PageOf<Order>>(await desk.get(maker, 'order/history', { limit: '1' }));
    const stolen = await desk.get(taker, 'order/history', { limit: '1', cursor: page.nextCursor });
    expect(stolen.body.error).toMatchObject({ code: '2011', details: { parameter: 'cursor' } });
  });
});

describe('a key restricted to markets', () => {
  it('trades and cancels only there, but reads everything', async () => {
    const owner = await desk.trader();
    const bound = await desk.trader({}, { userId: owner.userId, markets: ['ethusdt'] });
    const btc = await desk.place(owner, { price: '60000.00' });
    const eth = await desk.place(bound, { symbol: 'ethusdt', price: '3000.00', volume: '1' });
    const refused = await desk.post(bound, 'order/create', LIMIT);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: '3008',
      details: { symbol: 'btcusdt', markets: ['ethusdt'] },
    });
    expect(codeOf(await desk.post(bound, 'order/test', LIMIT))).toBe('3008');
    expect(codeOf(await desk.delete(bound, 'order/cancel', { orderId: btc.orderId }))).toBe('3008');
    expect(
      codeOf(await desk.post(bound, 'order/amend', { orderId: btc.orderId, volume: '1' })),
    ).toBe('3008');
    const both = JSON.stringify([btc.orderId, eth.orderId]);
    expect(codeOf(await desk.post(bound, 'order/cancel_batch', { orderIds: both }))).toBe('3008');
    expect(codeOf(await desk.delete(bound, 'order/cancel_all', { symbol: 'btcusdt' }))).toBe(
      '3008',
    );
    expect(codeOf(await desk.post(bound, 'order/cancel_all_after', { timeout: '0' }))).toBe('3008');
    expect(resultOf<Order[]>(await desk.get(bound, 'order/open'))).toHaveLength(2);
    expect(resultOf(await desk.delete(bound, 'order/cancel_all'))).toEqual({
      canceledCount: '1',
      orderIds: [eth.orderId],
    });
    expect(resultOf(await desk.delete(owner, 'order/cancel_all'))).toMatchObject({
      canceledCount: '1',
    });
  });
});

it('a key deletes itself, and no other', async () => {
  const owner = await desk.trader();
  const spare = await desk.trader({}, { userId: owner.userId, permissions: ['transfer'] });
  expect(codeOf(await desk.delete(owner, 'api_key/delete', { keyId: spare.keyId }))).toBe('3010');
  expect(resultOf(await desk.delete(spare, 'api_key/delete', { keyId: spare.keyId }))).toEqual({
    keyId: spare.keyId,
  });
  expect(codeOf(await desk.delete(spare, 'api_key/delete', { keyId: spare.keyId }))).toBe('3002');
  expect(codeOf(await desk.get(owner, 'account/info'))).toBe('');
});
