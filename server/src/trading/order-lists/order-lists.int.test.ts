// Order lists over the API, on a real engine: their whole life, and the money to the last unit.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Trader } from '../../testing/trader.ts';
import {
  BRACKET,
  OCO,
  openDesk,
  placeOco,
  resultOf,
  type Desk,
  type Params,
} from '../../testing/trading/desk.ts';
import type { Balance } from '../account/shapes.ts';
import type { Order } from '../orders/order.ts';
import { auditProjections, startOfAudit } from '../projections/audit.ts';
import { rebuildProjections } from '../projections/rebuild.ts';
import type { OrderList } from './list.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({}, { phase: 'continuous' });
});
afterEach(() => desk.sweep());
afterAll(() => desk.close());

const balanceOf = async (trader: Trader, coin: string): Promise<string[]> => {
  const [balance] = resultOf<Balance[]>(await desk.get(trader, 'account/balances', { coin }));
  return [balance?.available ?? '', balance?.hold ?? ''];
};
const get = async (trader: Trader, { orderListId }: OrderList): Promise<OrderList> =>
  resultOf(await desk.get(trader, 'order_list/get', { orderListId }));
const open = async (trader: Trader, params: Params = {}): Promise<OrderList[]> =>
  resultOf(await desk.get(trader, 'order_list/open', params));
const cancel = (trader: Trader, { orderListId }: Pick<OrderList, 'orderListId'>) =>
  desk.delete(trader, 'order_list/cancel', { orderListId });
const bracket = (trader: Trader, params: Params = {}) =>
  desk.post(trader, 'order_list/create_bracket', { ...BRACKET, ...params });
const statusesOf = ({ orders }: OrderList): string[] =>
  orders.map(({ status, statusReason }) =>
    statusReason === '' ? status : `${status} ${statusReason}`,
  );
const leg = ({ orders }: OrderList, position: number): Order => orders[position] as Order;

describe('an OCO', () => {
  it('is a limit order and a stop that share one hold', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner, {
      limitClientOrderId: 'up',
      stopClientOrderId: 'down',
    });
    expect(list).toMatchObject({
      kind: 'oco',
      symbol: 'btcusdt',
      side: 'sell',
      status: 'executing',
      orderListId: leg(list, 0).orderId,
      orders: [
        { clientOrderId: 'up', type: 'limit', price: '70000.00', status: 'open', isWorking: true },
        {
          clientOrderId: 'down',
          type: 'stop_market',
          stopPrice: '60000.00',
          status: 'pending',
          isWorking: false,
        },
      ],
    });
    for (const { orderListId } of list.orders) expect(orderListId).toBe(list.orderListId);
    expect(await balanceOf(owner, 'btc')).toEqual(['99.99', '0.01']);
    expect(await get(owner, list)).toEqual(list);
    expect(await open(owner)).toEqual([list]);
    expect(await open(owner, { symbol: 'btcusdt' })).toEqual([list]);
    expect(await open(owner, { symbol: 'ethusdt' })).toEqual([]);
    const orders = resultOf<Order[]>(await desk.get(owner, 'order/open'));
    expect(orders).toEqual(list.orders);
  });

  it('that buys holds for the dearer leg', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const params = { side: 'buy', limitPrice: '60000.00', stopPrice: '66000.00' };
    const missing = await desk.post(owner, 'order_list/create_oco', { ...OCO, ...params });
    expect(missing.body.error).toMatchObject({
      code: '2001',
      details: { parameter: 'stopLimitPrice' },
    });
    const list = await placeOco(desk, owner, { ...params, stopLimitPrice: '66500.00' });
    expect(await balanceOf(owner, 'usdt')).toEqual(['9999335', '665']);
    const ended = resultOf<OrderList>(await cancel(owner, list));
    expect(ended.status).toBe('done');
    expect(await balanceOf(owner, 'usdt')).toEqual(['10000000', '0']);
  });

  it('the limit leg trades: the stop ends in the same event, and the seller gets the price', async () => {
    const [owner, buyer] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    await desk.place(buyer, { price: '70000.00', volume: '0.004000' });
    const half = await get(owner, list);
    expect(half.status).toBe('executing');
    expect(statusesOf(half)).toEqual(['partially_filled', 'canceled list_sibling']);
    expect(leg(half, 1).engineSeq).toBe(leg(half, 0).engineSeq);
    expect(await balanceOf(owner, 'btc')).toEqual(['99.99', '0.006']);
    expect(await open(owner)).toEqual([half]);
    await desk.place(buyer, { price: '70000.00', volume: '0.006000' });
    const done = await get(owner, list);
    expect(done).toMatchObject({ status: 'done', updatedAt: leg(done, 0).updatedAt });
    expect(statusesOf(done)).toEqual(['filled', 'canceled list_sibling']);
    expect(await balanceOf(owner, 'btc')).toEqual(['99.99', '0']);
    // 700 less a maker's fee of 0.1 %.
    expect(await balanceOf(owner, 'usdt')).toEqual(['10000699.3', '0']);
    expect(await open(owner)).toEqual([]);
  });

  it('the stop fires: the limit leg ends first, and the seller gets the market', async () => {
    const [owner, buyer] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    await desk.place(buyer, { price: '59000.00', volume: '0.010000' });
    await desk.trade('60000.00');
    const done = await get(owner, list);
    expect(done.status).toBe('done');
    expect(statusesOf(done)).toEqual(['canceled list_sibling', 'filled']);
    expect(leg(done, 1)).toMatchObject({ filledTotal: '590', fee: '0.885' });
    expect(await balanceOf(owner, 'btc')).toEqual(['99.99', '0']);
    expect(await balanceOf(owner, 'usdt')).toEqual(['10000589.115', '0']);
  });

  it('the stop becomes a limit order, which rests with the hold of both', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner, { stopLimitPrice: '60500.00' });
    await desk.trade('60000.00');
    const after = await get(owner, list);
    expect(statusesOf(after)).toEqual(['canceled list_sibling', 'open']);
    expect(leg(after, 1)).toMatchObject({ type: 'stop_limit', isWorking: true });
    expect(await balanceOf(owner, 'btc')).toEqual(['99.99', '0.01']);
    expect(statusesOf(resultOf(await cancel(owner, list)))).toEqual([
      'canceled list_sibling',
      'canceled user',
    ]);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
  });

  it.each([0, 1])('canceling leg %i ends the other', async (position) => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    const { orderId } = leg(list, position);
    resultOf(await desk.delete(owner, 'order/cancel', { orderId }));
    const expected = ['canceled list_sibling', 'canceled list_sibling'];
    expected[position] = 'canceled user';
    const done = await get(owner, list);
    expect(statusesOf(done)).toEqual(expected);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
    const again = await cancel(owner, list);
    expect(again.body.error).toMatchObject({ code: '4013', details: { orderList: done } });
  });

  it('a leg is not amended while the other lives', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const { orderId } = leg(await placeOco(desk, owner), 0);
    const answer = await desk.post(owner, 'order/amend', { orderId, price: '71000.00' });
    expect(answer.body.error).toMatchObject({
      code: '2009',
      details: { parameter: 'orderListId' },
      message: expect.stringContaining('Cancel the list') as string,
    });
  });
});

describe('a bracket', () => {
  const NEAR: Params = {
    price: '63000.00',
    takeProfitPrice: '66000.00',
    stopLossPrice: '62000.00',
  };

  it('lives from its entry to its profit, and moves exactly what it should', async () => {
    const [owner, seller, buyer] = [await desk.trader(), await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = resultOf<OrderList>(await bracket(owner, NEAR));
    expect(list).toMatchObject({ kind: 'bracket', side: 'buy', status: 'executing' });
    expect(statusesOf(list)).toEqual(['open', 'pending', 'pending']);
    expect(list.orders.map(({ isWorking }) => isWorking)).toEqual([true, false, false]);
    expect(list.orders.map(({ side, type }) => `${side} ${type}`)).toEqual([
      'buy limit',
      'sell limit',
      'sell stop_market',
    ]);
    expect(await balanceOf(owner, 'usdt')).toEqual(['9999370', '630']);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);

    await desk.place(seller, { side: 'sell', price: '63000.00', volume: '0.004000' });
    expect(statusesOf(await get(owner, list))).toEqual(['partially_filled', 'pending', 'pending']);
    await desk.place(seller, { side: 'sell', price: '63000.00', volume: '0.006000' });
    const begun = await get(owner, list);
    expect(statusesOf(begun)).toEqual(['filled', 'open', 'pending']);
    // What was bought, less the maker's fee of 0.1 %.
    expect(leg(begun, 1)).toMatchObject({ volume: '0.009990', isWorking: true });
    expect(leg(begun, 2)).toMatchObject({ volume: '0.009990', isWorking: false });
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0.00999']);
    expect(await open(owner)).toEqual([begun]);

    await desk.place(buyer, { price: '66000.00', volume: '0.010000' });
    const done = await get(owner, list);
    expect(done.status).toBe('done');
    expect(statusesOf(done)).toEqual(['filled', 'filled', 'canceled list_sibling']);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
    // -630, and 0.00999 at 66000 less 0.1 %.
    expect(await balanceOf(owner, 'usdt')).toEqual(['10000028.68066', '0']);
  });

  it('ends by its stop if the price falls', async () => {
    const [owner, seller, buyer] = [await desk.trader(), await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = resultOf<OrderList>(await bracket(owner, NEAR));
    await desk.place(seller, { side: 'sell', price: '63000.00' });
    await desk.place(buyer, { price: '61000.00', volume: '0.020000' });
    await desk.trade('62000.00');
    const done = await get(owner, list);
    expect(statusesOf(done)).toEqual(['filled', 'canceled list_sibling', 'filled']);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
    // 0.00999 at 61000 less 0.15 % are 608.475915.
    expect(await balanceOf(owner, 'usdt')).toEqual(['9999978.475915', '0']);
  });

  it('begins at once with a market entry by total', async () => {
    const [owner, seller] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    await desk.place(seller, { side: 'sell', price: '64000.00', volume: '0.010000' });
    const { price: _, volume: __, ...rest } = BRACKET;
    const params = { ...rest, type: 'market', total: '640', stopLossLimitPrice: '51900.00' };
    const list = resultOf<OrderList>(await desk.post(owner, 'order_list/create_bracket', params));
    const begun = await get(owner, list);
    expect(statusesOf(begun)).toEqual(['filled', 'open', 'pending']);
    // The taker's fee of 0.15 % leaves 0.009985.
    expect(leg(begun, 1).volume).toBe('0.009985');
    expect(leg(begun, 2)).toMatchObject({ type: 'stop_limit', price: '51900.00' });
  });

  it('is canceled before it begins, and while half of the entry is filled', async () => {
    const [owner, seller] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const untouched = resultOf<OrderList>(await bracket(owner, NEAR));
    const ended = resultOf<OrderList>(await cancel(owner, untouched));
    expect(ended.status).toBe('done');
    expect(statusesOf(ended)[0]).toBe('canceled user');
    const list = resultOf<OrderList>(await bracket(owner, NEAR));
    await desk.place(seller, { side: 'sell', price: '63000.00', volume: '0.004000' });
    const half = resultOf<OrderList>(await cancel(owner, list));
    expect(half.status).toBe('done');
    expect(half.orders.every(({ status }) => status === 'canceled')).toBe(true);
    expect(await balanceOf(owner, 'usdt')).toEqual(['9999748', '0']);
    expect(await balanceOf(owner, 'btc')).toEqual(['100.003996', '0']);
  });

  it('protects what a canceled entry had filled', async () => {
    const [owner, seller] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = resultOf<OrderList>(await bracket(owner, NEAR));
    await desk.place(seller, { side: 'sell', price: '63000.00', volume: '0.004000' });
    const { orderId } = leg(list, 0);
    resultOf(await desk.delete(owner, 'order/cancel', { orderId }));
    const begun = await get(owner, list);
    expect(statusesOf(begun)).toEqual(['canceled user', 'open', 'pending']);
    expect(leg(begun, 1).volume).toBe('0.003996');
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0.003996']);
  });

  it.each([
    ['takeProfitPrice', { takeProfitPrice: '54000.00' }, '2009'],
    ['stopLossPrice', { stopLossPrice: '56000.00' }, '2009'],
    ['stopLossLimitPrice', { side: 'sell', price: '66000.00' }, '2001'],
    ['type', { type: 'stop_limit' }, '2002'],
    ['trailingDelta', { trailingDelta: '100' }, '2004'],
    ['takeProfitPrice', { takeProfitPrice: '' }, '2001'],
    ['takeProfitPrice', { takeProfitPrice: '70000.001' }, '4005'],
    ['stopLossPrice', { stopLossPrice: '20000.00' }, '4009'],
  ])('is refused for its %s: %j', async (parameter, change: Params, code) => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const { body } = await bracket(owner, change);
    expect(body.error).toMatchObject({ code, details: { parameter } });
    expect(await open(owner)).toEqual([]);
    expect(await balanceOf(owner, 'usdt')).toEqual(['10000000', '0']);
  });
});

it('lists in every state survive the engine, and the tables equal a replay of the journal', async () => {
  const [owner, seller, buyer] = [await desk.trader(), await desk.trader(), await desk.trader()];
  await desk.trade('64000.00');
  const oco = await placeOco(desk, owner);
  const waiting = resultOf<OrderList>(await bracket(owner));
  const near = { price: '63000.00', takeProfitPrice: '66000.00', stopLossPrice: '62000.00' };
  const list = resultOf<OrderList>(await bracket(owner, near));
  await desk.place(seller, { side: 'sell', price: '63000.00', volume: '0.010000' });
  const before = [await get(owner, oco), await get(owner, waiting), await get(owner, list)];
  await desk.server.restartEngine();
  expect(await open(owner)).toEqual(before);
  await desk.place(buyer, { price: '66000.00', volume: '0.010000' });
  expect(statusesOf(await get(owner, list))).toEqual(['filled', 'filled', 'canceled list_sibling']);
  expect(await open(owner)).toEqual(before.slice(0, 2));
  for (const one of [oco, waiting]) resultOf(await cancel(owner, one));
  await desk.get(owner, 'order/history');
  expect(await auditProjections(desk.server.ctx, startOfAudit())).toEqual([]);
  const rebuilt = await rebuildProjections(desk.server.ctx, { compare: true, swap: false });
  expect(rebuilt.tables.filter(({ isSame }) => isSame !== true)).toEqual([]);
});

it('the audit finds a list of which both exits have traded', async () => {
  const [owner, buyer] = [await desk.trader(), await desk.trader()];
  await desk.trade('64000.00');
  const list = await placeOco(desk, owner);
  await desk.place(buyer, { price: '70000.00' });
  await desk.get(owner, 'order/history');
  const audit = async () =>
    (await auditProjections(desk.server.ctx, startOfAudit())).map(({ rule }) => rule);
  expect(await audit()).toEqual([]);
  const tamper = 'UPDATE trading_orders SET filled_volume = $2 WHERE order_id = $1';
  await desk.server.owner.query(tamper, [leg(list, 1).orderId, 1]);
  expect(await audit()).toEqual(['of the two exits of a list at most one has traded']);
  await desk.server.owner.query(tamper, [leg(list, 1).orderId, 0]);
});
