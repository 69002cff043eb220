import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { codeOf, LIMIT, openDesk, resultOf, type Desk } from '../../../testing/trading/desk.ts';
import type { Order } from '../order.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

const { side: _, type: __, ...TERMS } = LIMIT;

it('each short path is create with its type and side', async () => {
  const [maker, taker] = [await desk.trader(), await desk.trader()];
  const post = async (path: string, params: Record<string, string>) =>
    resultOf<Order>(await desk.post(taker, `order/${path}`, { ...params }));
  const volume = '0.010000';
  await desk.place(maker, { side: 'sell', price: '64100.00', volume: '1' });
  await desk.place(maker, { price: '63900.00', volume: '1' });
  expect(await post('limit/buy', { ...TERMS, price: '63000.00' })).toMatchObject({
    type: 'limit',
    side: 'buy',
    status: 'open',
  });
  expect(await post('limit/sell', { ...TERMS, price: '65000.00', postOnly: 'true' })).toMatchObject(
    { type: 'limit', side: 'sell', postOnly: true },
  );
  expect(await post('market/buy', { symbol: 'btcusdt', total: '641' })).toMatchObject({
    type: 'market',
    side: 'buy',
    total: '641',
    filledTotal: '641',
  });
  expect(await post('market/buy', { symbol: 'btcusdt', volume })).toMatchObject({ volume });
  expect(await post('market/sell', { symbol: 'btcusdt', volume })).toMatchObject({
    side: 'sell',
    filledTotal: '639',
  });
  const stop = { ...TERMS, stop: '66000.00', price: '66100.00' };
  expect(await post('stoplimit/buy', stop)).toMatchObject({
    type: 'stop_limit',
    side: 'buy',
    stopPrice: '66000.00',
    price: '66100.00',
    status: 'pending',
  });
  expect(
    await post('stoplimit/sell', { ...TERMS, stop: '61000.00', price: '60900.00' }),
  ).toMatchObject({ type: 'stop_limit', side: 'sell', stopPrice: '61000.00' });
});

it('an order of a short path and one of create share their client ids', async () => {
  const maker = await desk.trader();
  const params = { ...TERMS, price: '60000.00', clientOrderId: 'short-1' };
  const first = resultOf<Order>(await desk.post(maker, 'order/limit/buy', params));
  const again = await desk.post(maker, 'order/create', { ...params, side: 'buy', type: 'limit' });
  expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
  expect(resultOf<Order>(again).orderId).toBe(first.orderId);
  expect(codeOf(await desk.post(maker, 'order/limit/sell', params))).toBe('4012');
});

it.each([
  ['limit/buy', { volume: '0.01' }, '2001', 'price'],
  ['limit/buy', { price: '60000' }, '2001', 'volume'],
  ['limit/buy', { price: '60000', volume: '0.01', side: 'sell' }, '2004', 'side'],
  ['limit/buy', { price: '60000', volume: '0.01', stop: '1' }, '2004', 'stop'],
  ['limit/buy', { price: '60000', volume: '0.01', type: 'market' }, '2004', 'type'],
  ['market/sell', { total: '100', volume: '0.01' }, '2004', 'total'],
  ['market/sell', {}, '2001', 'volume'],
  ['market/buy', { volume: '0.01', price: '1' }, '2004', 'price'],
  ['stoplimit/sell', { price: '60000', volume: '0.01' }, '2001', 'stop'],
  [
    'stoplimit/sell',
    { price: '1', volume: '0.01', stopPrice: '1', stop: '1' },
    '2004',
    'stopPrice',
  ],
] as const)('%s refuses %o with %s', async (path, params, code, parameter) => {
  const trader = await desk.trader();
  const { body } = await desk.post(trader, `order/${path}`, { symbol: 'btcusdt', ...params });
  expect(body.error).toMatchObject({ code, details: { parameter } });
});

it('a market buy needs a volume or a total, and not both', async () => {
  const trader = await desk.trader();
  await desk.place(await desk.trader(), { side: 'sell', price: '64100.00' });
  const post = (params: Record<string, string>) =>
    desk.post(trader, 'order/market/buy', { symbol: 'btcusdt', ...params });
  expect(codeOf(await post({}))).toBe('2001');
  expect(codeOf(await post({ volume: '0.01', total: '100' }))).toBe('2009');
});
