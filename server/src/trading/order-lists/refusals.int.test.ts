// Order lists that are repeated, broken, somebody else's, or too many.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Trader } from '../../testing/trader.ts';
import { carryOut } from '../../testing/operator-rows.ts';
import {
  BRACKET,
  codeOf,
  OCO,
  openDesk,
  placeOco,
  resultOf,
  type Desk,
  type Params,
} from '../../testing/trading/desk.ts';
import type { Balance } from '../account/shapes.ts';
import { createEngineClient } from '../engine/client.ts';
import { suspendAccount } from '../operators/acts.ts';
import type { Order } from '../orders/order.ts';
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
const leg = ({ orders }: OrderList, position: number): Order => orders[position] as Order;

/** What the engine itself still knows of a list. */
async function remembered({ accountId }: Trader, { orderListId }: OrderList): Promise<unknown> {
  const { bus, database, log, secrets } = desk.server.ctx;
  const options = { bus, pool: database.pool, log, secrets, answerMs: 5000, underWayMax: 10 };
  const client = createEngineClient(options);
  const account = Number(accountId);
  const legs = await client.read('list', { account, orderListId: Number(orderListId) });
  await client.stop();
  return legs;
}

describe('a repeated request', () => {
  const IDS = { limitClientOrderId: 'a', stopClientOrderId: 'b' };

  it('answers the list as it is now; twice at once, one is placed', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const ask = (params: Params = {}) =>
      desk.post(owner, 'order_list/create_oco', { ...OCO, ...IDS, ...params });
    const both = await Promise.all([ask(), ask({ nonce: '1' })]);
    const [one, two] = both.map((answer) => resultOf<OrderList>(answer));
    expect(one).toEqual(two);
    const replays = both.map(({ headers }) => headers.get('x-svc-idempotent-replay'));
    expect(new Set(replays)).toEqual(new Set([null, 'true']));
    expect(await open(owner)).toHaveLength(1);
    for (const change of [
      { volume: '0.02' },
      { limitPrice: '70000.01' },
      { stopPrice: '60000.01' },
      { stopLimitPrice: '59000.00' },
      { stopClientOrderId: 'c' },
      { stopClientOrderId: '' },
      { limitClientOrderId: 'b', stopClientOrderId: 'a' },
      { stpMode: 'expire_maker' },
    ]) {
      expect(codeOf(await ask(change)), JSON.stringify(change)).toBe('4012');
    }
    // A leg's id stands for its list, not for an order of its own.
    const alone = { symbol: 'btcusdt', side: 'sell', type: 'limit', price: '70000.00' };
    const create = { ...alone, volume: '0.010000', clientOrderId: 'a' };
    expect(codeOf(await desk.post(owner, 'order/create', create))).toBe('4012');
    expect(
      codeOf(
        await desk.post(owner, 'order_list/create_bracket', { ...BRACKET, clientOrderId: 'a' }),
      ),
    ).toBe('4012');
    await cancel(owner, one as OrderList);
    const after = await ask();
    expect(after.headers.get('x-svc-idempotent-replay')).toBe('true');
    expect(after.body.result).toMatchObject({ status: 'done' });
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
  });

  it('is known after the engine has forgotten the list, and so is the list', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const oco = await placeOco(desk, owner, { limitClientOrderId: 'only' });
    await cancel(owner, oco);
    const ids = { clientOrderId: 'in', takeProfitClientOrderId: 'tp' };
    const entered = resultOf<OrderList>(await bracket(owner, ids));
    await cancel(owner, entered);
    // The next two that finish push out all before them.
    await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 1 }]);
    try {
      await desk.trade('64000.00');
      expect(await remembered(owner, oco)).toEqual([]);
      const again = await desk.post(owner, 'order_list/create_oco', {
        ...OCO,
        limitClientOrderId: 'only',
      });
      expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
      expect(again.body.result).toEqual(await get(owner, oco));
      expect(again.body.result).toMatchObject({ status: 'done', orderListId: oco.orderListId });
      const other = { ...OCO, limitClientOrderId: 'only', stopPrice: '59999.00' };
      expect(codeOf(await desk.post(owner, 'order_list/create_oco', other))).toBe('4012');
      expect((await bracket(owner, ids)).body.result).toEqual(await get(owner, entered));
      expect(codeOf(await bracket(owner, { ...ids, volume: '0.02' }))).toBe('4012');
      expect(codeOf(await bracket(owner, { ...ids, stopLossPrice: '52001.00' }))).toBe('4012');
      expect(codeOf(await cancel(owner, oco))).toBe('4013');
    } finally {
      await carryOut(desk.server.ctx, [{ type: 'set_memory', memory: 100_000 }]);
    }
  });
});

describe('attacks', () => {
  it.each([
    ['volume', { volume: '0' }, '2003'],
    ['volume', { volume: '-1' }, '2002'],
    ['volume', { volume: '9'.repeat(50) }, '2003'],
    ['volume', { volume: '' }, '2001'],
    ['volume', { volume: '0.0000001' }, '4006'],
    ['limitPrice', { limitPrice: '0' }, '2003'],
    ['limitPrice', { limitPrice: '1e5' }, '2002'],
    ['limitPrice', { limitPrice: '' }, '2001'],
    ['limitPrice', { limitPrice: '63000.00' }, '2009'],
    ['stopPrice', { stopPrice: '60000.001' }, '4005'],
    ['stopPrice', { stopPrice: '' }, '2001'],
    ['stopLimitPrice', { stopLimitPrice: '10000.00' }, '4009'],
    ['stopClientOrderId', { limitClientOrderId: 'x', stopClientOrderId: 'x' }, '2009'],
    ['limitClientOrderId', { limitClientOrderId: 'a b' }, '2002'],
    ['stopClientOrderId', { stopClientOrderId: 'x'.repeat(37) }, '2002'],
    ['clientOrderId', { clientOrderId: 'x' }, '2004'],
    ['account', { account: '1' }, '2004'],
    ['kind', { kind: 'bracket' }, '2004'],
    ['trailingDelta', { trailingDelta: '100' }, '2004'],
  ])('an OCO with a bad %s is refused whole: %j', async (parameter, change: Params, code) => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const { body } = await desk.post(owner, 'order_list/create_oco', { ...OCO, ...change });
    expect(body.error).toMatchObject({ code, details: { parameter } });
    expect(await open(owner)).toEqual([]);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
  });

  it('a stop that would fire at once, an unknown market and too little money are refused', async () => {
    const owner = await desk.trader({ btc: '0.009' });
    await desk.trade('64000.00');
    const ask = async (change: Params) =>
      codeOf(await desk.post(owner, 'order_list/create_oco', { ...OCO, ...change }));
    expect(await ask({ volume: '0.009', stopPrice: '64000.00' })).toBe('4016');
    expect(await ask({ symbol: 'btcxyz' })).toBe('4001');
    expect(await ask({})).toBe('5001');
    expect(await ask({ symbol: 'ethusdt', volume: '0.001' })).toMatch(/^(4018|5001|4007)$/);
    expect(await open(owner)).toEqual([]);
  });

  it('another’s list, an order in no list, a leg that is not the first, and a huge number are not found', async () => {
    const [owner, other] = [await desk.trader(), await desk.trader()];
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    const single = await desk.place(owner, { price: '50000.00' });
    const names: [Trader, string][] = [
      [other, list.orderListId],
      [owner, single.orderId],
      [owner, leg(list, 1).orderId],
      [owner, '9'.repeat(16)],
      [owner, '0'],
    ];
    for (const [trader, orderListId] of names) {
      for (const answer of [
        await desk.get(trader, 'order_list/get', { orderListId }),
        await cancel(trader, { orderListId }),
      ]) {
        expect(answer.status, orderListId).toBe(404);
        expect(answer.body.error).toMatchObject({
          code: '4011',
          message: 'The account has no such order list.',
        });
      }
    }
    expect(await get(owner, list)).toEqual(list);
    for (const orderListId of ['', '-1', '1.5', 'x', '9'.repeat(17)]) {
      const answer = await desk.get(owner, 'order_list/get', { orderListId });
      expect(codeOf(answer)).toBe(orderListId === '' ? '2001' : '2002');
    }
  });

  it('a list canceled twice at once ends once', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    const { orderListId } = list;
    const answers = await Promise.all(
      ['1', '2', '3'].map((nonce) =>
        desk.delete(owner, 'order_list/cancel', { orderListId, nonce }),
      ),
    );
    const codes = answers.map((answer) => codeOf(answer));
    expect(codes.filter((code) => code === '')).toHaveLength(1);
    expect(codes.filter((code) => code === '4013')).toHaveLength(2);
    expect(await balanceOf(owner, 'btc')).toEqual(['100', '0']);
  });

  it('a key of other markets cannot place or cancel, and a suspended account can cancel', async () => {
    const owner = await desk.trader();
    await desk.trade('64000.00');
    const list = await placeOco(desk, owner);
    const bound = await desk.trader({}, { userId: owner.userId, markets: ['ethusdt'] });
    expect(codeOf(await desk.post(bound, 'order_list/create_oco', OCO))).toBe('3008');
    expect(codeOf(await cancel(bound, list))).toBe('3008');
    expect(await get(bound, list)).toEqual(list);
    await desk.venue.perform(suspendAccount(Number(owner.accountId), false, 'A test.'));
    expect(codeOf(await desk.post(owner, 'order_list/create_oco', OCO))).toBe('3011');
    expect(resultOf<OrderList>(await cancel(owner, list)).status).toBe('done');
  });
});

it('a list counts as its orders against the quota of the day', async () => {
  const small = await openDesk(
    { settings: { TRADING_DAILY_ORDERS_MAX: '4' } },
    { phase: 'continuous' },
  );
  try {
    const owner = await small.trader();
    await small.trade('64000.00');
    await placeOco(small, owner, { limitClientOrderId: 'a' });
    // A replay and a refusal cost nothing; a bracket has one order too many.
    await placeOco(small, owner, { limitClientOrderId: 'a' });
    const refused = { ...OCO, stopPrice: '65000.00' };
    expect(codeOf(await small.post(owner, 'order_list/create_oco', refused))).toBe('4016');
    expect(codeOf(await small.post(owner, 'order_list/create_bracket', BRACKET))).toBe('6003');
    await placeOco(small, owner);
    expect(codeOf(await small.post(owner, 'order_list/create_oco', OCO))).toBe('6003');
  } finally {
    await small.close();
  }
});
