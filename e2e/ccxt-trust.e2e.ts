// What a bot relies on when it trades here through ccxt: amounts stay what they are, lists have neither gaps nor
// repetitions, and one client id is one order.
import type { rialto } from '@rialto/ccxt-adapter';
import { DuplicateOrderId, Precise, type Dict } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Trader } from '../server/src/testing/trader.ts';
import { soon, startCcxtVenue, type CcxtVenue } from './ccxt-venue.ts';

const SYMBOL = 'BTC/USDT';

let venue: CcxtVenue;
let maker: rialto;
let makerKey: Trader;

beforeAll(async () => {
  venue = await startCcxtVenue();
  makerKey = await venue.trader();
  maker = venue.rest(makerKey);
});
afterAll(() => venue?.close());

describe('amounts, prices and costs are the same text on both sides', () => {
  /** Every digit that the market and the ledger allow, and more than a float can hold. */
  const AMOUNT = '123.456789';
  const PRICE = '31234.57';

  it('when an order is placed, read and listed', async () => {
    const exact = venue.rest(makerKey, { number: String });
    await exact.loadMarkets();
    const placed = await exact.createOrder(SYMBOL, 'limit', 'buy', AMOUNT, PRICE);
    const { id = '' } = placed;
    const listed = await soon(
      () => exact.fetchOrders(SYMBOL, placed.timestamp),
      (orders) => orders.some((order) => order.id === id),
    );
    const found = [placed, await exact.fetchOrder(id), listed.find((order) => order.id === id)];
    for (const order of found) {
      expect(order).toMatchObject({ amount: AMOUNT, price: PRICE, remaining: AMOUNT });
    }
    // The hold shows what reached the ledger: price times volume, to the last digit.
    const { used } = (await exact.fetchBalance()) as unknown as Dict;
    expect(used['USDT']).toBe('3856119.71799573');
    await exact.cancelOrder(id);
  });

  it('when a buy by cost is filled by two trades', async () => {
    const exact = venue.rest(makerKey, { number: String });
    const buyer = venue.rest(await venue.trader(), { number: String });
    await exact.createOrder(SYMBOL, 'limit', 'sell', '0.000123', '63999.99');
    await exact.createOrder(SYMBOL, 'limit', 'sell', '1.5', '64000.01');
    const { id = '' } = await buyer.createMarketBuyOrderWithCost(SYMBOL, '99.123456789012345678');
    const read = () => buyer.fetchOrder(id);
    const order = await soon(read, ({ trades }) => trades.length === 2);
    const { filled, cost, trades } = order as unknown as Record<string, string> & Dict;
    expect(order.info).toMatchObject({ total: '99.123456789012345678', filledTotal: cost });
    const sums = ['amount', 'cost'].map((name) =>
      trades.reduce((sum: string, trade: Dict) => Precise.stringAdd(sum, trade[name]), '0'),
    );
    expect(Precise.stringEq(sums[0], filled)).toBe(true);
    expect(Precise.stringEq(sums[1], cost)).toBe(true);
    await exact.cancelAllOrders();
  });

  it('when numbers are numbers, as long as a float can hold them', async () => {
    const { id = '' } = await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1 + 0.2, 31_234.57);
    const order = await maker.fetchOrder(id);
    expect([order.amount, order.price]).toEqual([0.3, 31_234.57]);
    expect(order.info['volume']).toBe('0.300000');
    await maker.cancelOrder(id);
  });
});

describe('lists', () => {
  const COUNT = 1050;
  let many: rialto;
  let ids: string[];

  beforeAll(async () => {
    many = venue.rest(await venue.trader());
    await many.loadMarkets();
    ids = [];
    const order = { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.001, price: 50_000 };
    while (ids.length < COUNT) {
      const size = Math.min(20, COUNT - ids.length);
      const orders = await many.createOrders(Array.from({ length: size }, () => order));
      ids.push(...orders.map(({ id = '' }) => id));
    }
    await soon(
      () => many.fetchOrders(SYMBOL, undefined, 1),
      ([last]) => last?.id === ids.at(-1),
    );
  });

  const page = (since: number | undefined, limit: number | undefined, params: Dict = {}) =>
    many.fetchOrders(SYMBOL, since, limit, params);
  const idsOf = (orders: readonly Dict[]) => orders.map(({ id }) => id as string);

  it('go from page to page by the cursor, forwards and backwards, without gap or repeat', async () => {
    for (const since of [0, undefined]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const orders = await page(since, 77, { cursor });
        if (since === undefined) seen.unshift(...idsOf(orders));
        else seen.push(...idsOf(orders));
        cursor = orders.map(({ info }) => info['nextCursor']).find((next) => next !== undefined);
      } while (cursor !== undefined);
      expect(seen).toEqual(ids);
    }
  });

  it('go from page to page by the time alone, as ccxt bots do', async () => {
    const seen = new Set<string>();
    let since = 0;
    for (;;) {
      const orders = await page(since, 100);
      const before = seen.size;
      for (const id of idsOf(orders)) seen.add(id);
      if (seen.size === before) break;
      since = orders.at(-1)?.timestamp ?? since;
    }
    expect([...seen]).toEqual(ids);
  });

  it('are read whole when they are asked for whole, or for more than one page holds', async () => {
    expect(idsOf(await page(0, undefined, { paginate: true }))).toEqual(ids);
    expect(idsOf(await page(0, 700))).toEqual(ids.slice(0, 700));
    expect(idsOf(await page(undefined, 700))).toEqual(ids.slice(-700));
    expect(idsOf(await page(undefined, undefined))).toEqual(ids.slice(-100));
  });

  it('end where they are told to', async () => {
    const [first, second] = await page(0, 2);
    const until = (second?.timestamp ?? 0) - 1;
    const orders = await page(0, 500, { until });
    expect(orders.every(({ timestamp = 0 }) => timestamp <= until)).toBe(true);
    if (first?.timestamp !== second?.timestamp) expect(idsOf(orders)).toEqual([first?.id]);
  });
});

describe('one client id', () => {
  const place = (price: number) =>
    maker.createOrder(SYMBOL, 'limit', 'buy', 0.01, price, { clientOrderId: 'only-one' });

  it('is one order, however often it is sent, and at the same time', async () => {
    const one = () => place(50_000);
    const orders = await Promise.all(Array.from({ length: 20 }, one));
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    expect(new Set([...orders, await one()].map(({ id }) => id)).size).toBe(1);
    const open = await maker.fetchOpenOrders(SYMBOL);
    expect(open.filter(({ clientOrderId }) => clientOrderId === 'only-one')).toHaveLength(1);
  });

  it('is a conflict when the order is another', async () => {
    await expect(place(49_999)).rejects.toThrow(DuplicateOrderId);
  });
});
