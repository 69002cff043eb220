// Trailing stops over the API: what is refused, how they follow the price and fire, and what moves.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Trader } from '../../testing/trader.ts';
import { codeOf, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { Balance } from '../account/shapes.ts';
import type { Order } from './order.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

const balanceOf = async (trader: Trader, coin: string): Promise<Balance> => {
  const [balance] = resultOf<Balance[]>(await desk.get(trader, 'account/balances', { coin }));
  if (balance === undefined) throw new Error('a coin has a balance');
  return balance;
};
const get = async (trader: Trader, { orderId }: Order): Promise<Order> =>
  resultOf(await desk.get(trader, 'order/get', { orderId }));

const TRAILING = {
  symbol: 'btcusdt',
  side: 'sell',
  type: 'trailing_stop',
  volume: '0.010000',
  trailingDelta: '100',
};
const create = (trader: Trader, params = {}) =>
  desk.post(trader, 'order/create', { ...TRAILING, ...params });

describe('a trailing stop', () => {
  it('follows the highest trade, fires at the exact distance, and sells at the market', async () => {
    const [owner, buyer] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const order = resultOf<Order>(await create(owner));
    expect(order).toMatchObject({
      type: 'trailing_stop',
      trailingDelta: '100',
      status: 'pending',
      isWorking: false,
      timeInForce: '',
      price: '',
      stopPrice: '',
    });
    expect(await balanceOf(owner, 'btc')).toMatchObject({ available: '99.99', hold: '0.01' });
    await desk.place(buyer, { price: '64000.00', volume: '0.020000' });
    await desk.trade('65000.00');
    // 1 % below 65000 is 64350: one step above it is not enough.
    await desk.trade('64350.01');
    expect(await get(owner, order)).toMatchObject({ status: 'pending', triggeredAt: '' });
    await desk.trade('64350.00');
    const done = await get(owner, order);
    expect(done).toMatchObject({
      status: 'filled',
      filledVolume: '0.010000',
      filledTotal: '640',
      averagePrice: '64000',
      fee: '0.96',
      triggeredAt: expect.stringMatching(/^\d{13}$/) as string,
    });
    expect(await balanceOf(owner, 'btc')).toMatchObject({ available: '99.99', hold: '0' });
    expect(await balanceOf(owner, 'usdt')).toMatchObject({ available: '10000639.04', hold: '0' });
    const history = await desk.get(owner, 'order/history', { type: 'trailing_stop' });
    const { items } = resultOf<{ items: Order[] }>(history);
    const { trades: _, ...plain } = done as Order & { trades: unknown };
    expect(items).toEqual([plain]);
  });

  it('begins at its stopPrice, and ends in a limit order if it has a price', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const order = resultOf<Order>(
      await create(owner, { stopPrice: '65000.00', price: '63900.00', trailingDelta: '200' }),
    );
    expect(order).toMatchObject({ status: 'pending', timeInForce: 'GTC', price: '63900.00' });
    // It does not trail yet, so no fall fires it.
    await desk.trade('60000.00');
    expect(await get(owner, order)).toMatchObject({ status: 'pending' });
    await desk.trade('65100.00');
    await desk.trade('63798.01');
    expect(await get(owner, order)).toMatchObject({ status: 'pending' });
    await desk.trade('63798.00');
    expect(await get(owner, order)).toMatchObject({ status: 'open', isWorking: true });
  });

  it('buys for a total after the price has risen from its lowest', async () => {
    const [owner, seller] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const { volume: _, ...rest } = TRAILING;
    const params = { ...rest, side: 'buy', total: '650', trailingDelta: '50' };
    const order = resultOf<Order>(await desk.post(owner, 'order/create', params));
    expect(await balanceOf(owner, 'usdt')).toMatchObject({ hold: '650' });
    await desk.trade('62000.00');
    await desk.place(seller, { side: 'sell', price: '65000.00', volume: '0.020000' });
    await desk.trade('62309.99');
    expect(await get(owner, order)).toMatchObject({ status: 'pending' });
    await desk.trade('62310.00');
    expect(await get(owner, order)).toMatchObject({ status: 'filled', filledTotal: '650' });
    expect(await balanceOf(owner, 'btc')).toMatchObject({ available: '100.009985', hold: '0' });
  });

  it('keeps what it followed when the engine is replaced', async () => {
    const [owner, buyer] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const order = resultOf<Order>(await create(owner));
    await desk.place(buyer, { price: '63000.00', volume: '0.010000' });
    await desk.trade('66000.00');
    await desk.server.restartEngine();
    expect(await get(owner, order)).toEqual({ ...order, trades: [] });
    // Followed anew from here, it would not fire: 1 % below 66000 is 65340.
    await desk.trade('65340.00');
    expect(await get(owner, order)).toMatchObject({ status: 'filled', filledTotal: '630' });
  });

  it('is tested like any other, and placed in a batch', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const tested = resultOf(await desk.post(owner, 'order/test', TRAILING));
    expect(tested).toMatchObject({ accepted: true, hold: '0.01', holdCurrency: 'btc' });
    const orders = JSON.stringify([TRAILING, { ...TRAILING, trailingDelta: '2001' }]);
    // The form of a batch is checked as a whole.
    expect(codeOf(await desk.post(owner, 'order/create_batch', { orders }))).toBe('2003');
    const { type: _, ...noType } = TRAILING;
    const mixed = [TRAILING, { ...noType, type: 'stop_market', stopPrice: '60000.00' }];
    const items = resultOf<{ status: string; error?: { code: string } }[]>(
      await desk.post(owner, 'order/create_batch', { orders: JSON.stringify(mixed) }),
    );
    expect(items.map(({ status, error }) => error?.code ?? status)).toEqual(['true', '2009']);
  });

  it('is answered again for the same clientOrderId, also when it has ended', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const params = { clientOrderId: 'trail-1' };
    const order = resultOf<Order>(await create(owner, params));
    const again = await create(owner, params);
    expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(again.body.result).toEqual(order);
    expect(codeOf(await create(owner, { ...params, trailingDelta: '101' }))).toBe('4012');
    expect(codeOf(await create(owner, { ...params, stopPrice: '65000.00' }))).toBe('4012');
    await desk.delete(owner, 'order/cancel', params);
    expect((await create(owner, params)).body.result).toMatchObject({ status: 'canceled' });
    // From the projection as well, which has it by now.
    await desk.get(owner, 'order/history');
    expect((await create(owner, params)).body.result).toMatchObject({ status: 'canceled' });
    expect(codeOf(await create(owner, { ...params, trailingDelta: '101' }))).toBe('4012');
  });
});

describe('a trailing stop is refused', () => {
  it.each([
    ['without trailingDelta', { trailingDelta: '' }, '2001', 'trailingDelta'],
    ['below the range', { trailingDelta: '9' }, '2003', 'trailingDelta'],
    ['above the range', { trailingDelta: '2001' }, '2003', 'trailingDelta'],
    ['below zero', { trailingDelta: '-100' }, '2003', 'trailingDelta'],
    ['with a huge trailingDelta', { trailingDelta: '9'.repeat(40) }, '2003', 'trailingDelta'],
    ['with a broken trailingDelta', { trailingDelta: '1.5' }, '2002', 'trailingDelta'],
    ['without a volume', { volume: '' }, '2001', 'volume'],
    ['with a volume of zero', { volume: '0' }, '2003', 'volume'],
    ['on another type', { type: 'limit', price: '64000.00' }, '2009', 'trailingDelta'],
    ['with a total to sell', { total: '100' }, '2009', 'total'],
  ])('%s', async (_what, change, code, parameter) => {
    await desk.trade('64000.00');
    const { body } = await create(await desk.trader(), change);
    expect(body.error).toMatchObject({ code, details: { parameter } });
  });

  it('before the first trade of its market', async () => {
    const params = { symbol: 'ethusdt', volume: '1' };
    expect(codeOf(await create(await desk.trader(), params))).toBe('4018');
  });

  it('with more than the account has', async () => {
    await desk.trade('64000.00');
    expect(codeOf(await create(await desk.trader({ btc: '0.009' })))).toBe('5001');
  });
});

it('markets say that they take it', async () => {
  const { body } = await (await desk.trader()).call(`${desk.server.baseUrl}/public/markets`);
  const [market] = body.result as { orderTypes: string[] }[];
  expect(market?.orderTypes).toContain('trailing_stop');
  expect(new Set(market?.orderTypes).size).toBe(market?.orderTypes.length);
});
