// The streams of the adapter for ccxt against a running venue: structures, a watched book that equals a fetched one,
// orders on the socket, and coming back after a drop without a gap.
import { setTimeout as pause } from 'node:timers/promises';
import type { pro, rialto } from '@rialto/ccxt-adapter';
import { ChecksumError, OrderNotFound, PermissionDenied, type Dict, type Order } from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../server/src/testing/random.ts';
import type { Trader } from '../server/src/testing/trader.ts';
import { Structures } from './ccxt-structures.ts';
import { soon, startCcxtVenue, type CcxtVenue } from './ccxt-venue.ts';

type Streaming = InstanceType<typeof pro.rialto>;

const SYMBOL = 'BTC/USDT';
/** CCXT_ORDERS=10000 is the full proof. */
const ORDERS = Number(process.env['CCXT_ORDERS'] ?? 1000);
const BATCH = 20;

let venue: CcxtVenue;
let maker: rialto;
/** Trades with everybody in the book, and has nothing there itself. */
let taker: rialto;
let other: rialto;
let takerKey: Trader;
let streams: Streaming;
let own: Streaming;
let is: Structures;

beforeAll(async () => {
  venue = await startCcxtVenue();
  takerKey = await venue.trader();
  maker = venue.rest(await venue.trader());
  other = venue.rest(await venue.trader());
  taker = venue.rest(takerKey);
  // With the library's own pace: the venue closes connections that send more than ten frames a second.
  streams = venue.streams(undefined, { enableRateLimit: true });
  own = venue.streams(takerKey, { enableRateLimit: true });
  await Promise.all([maker, other, taker, streams, own].map((exchange) => exchange.loadMarkets()));
  is = new Structures(maker);
  await maker.createOrder(SYMBOL, 'limit', 'sell', 5, 64_100);
  await maker.createOrder(SYMBOL, 'limit', 'buy', 5, 63_900);
  await trade();
  // Until the history is there, the venue asks to come again.
  await soon(
    () => maker.fetchTrades(SYMBOL),
    ({ length }) => length > 0,
  );
});
afterAll(() => venue?.close());

const trade = () => taker.createOrder(SYMBOL, 'market', 'buy', 0.001);

/** Trades until what is watched has moved. */
async function whileTrading<T>(watch: Promise<T>): Promise<T> {
  let isDone = false;
  const watched = watch.finally(() => (isDone = true));
  const trading = (async () => {
    while (!isDone) {
      await trade();
      await pause(300);
    }
  })();
  // A trade that fails ends the wait, too.
  await Promise.race([watched, trading.then(() => watched)]);
  await trading;
  return watched;
}

describe('what everybody may watch', () => {
  it('a book', async () => {
    const book = await streams.watchOrderBook(SYMBOL);
    is.orderBook(book, SYMBOL);
    expect(book.asks[0]?.[0]).toBe(64_100);
    const cut = await whileTrading(streams.watchOrderBook(SYMBOL, 1));
    expect(cut.bids).toHaveLength(1);
  });

  it('trades: the last ones first, then each that is made', async () => {
    const first = await streams.watchTrades(SYMBOL);
    is.trades(first, SYMBOL, false);
    const next = await whileTrading(streams.watchTrades(SYMBOL));
    is.trades(next, SYMBOL, false);
    const seen = new Set(first.map(({ id }) => id));
    expect(next.filter(({ id }) => seen.has(id))).toEqual([]);
  });

  it('tickers and best prices', async () => {
    is.ticker(await streams.watchTicker(SYMBOL), { symbol: SYMBOL });
    const named = await whileTrading(streams.watchTickers([SYMBOL]));
    expect(Object.keys(named)).toEqual([SYMBOL]);
    for (const ticker of Object.values(await streams.watchTickers())) is.ticker(ticker);
    const best = await streams.watchBidsAsks([SYMBOL]);
    is.ticker(best[SYMBOL] ?? {}, { symbol: SYMBOL, isBest: true });
  });

  it('candles', async () => {
    const candles = await whileTrading(streams.watchOHLCV(SYMBOL, '1m'));
    is.ohlcvs(candles);
    expect(candles.at(-1)?.[5]).toBeGreaterThan(0);
  });

  it('and nothing that there is not: the venue says what is wrong', async () => {
    await expect(streams.watchOHLCV(SYMBOL, '7m')).rejects.toThrow('2002 PARAMETER_INVALID');
    // The connection is as good as before.
    is.ticker(await whileTrading(streams.watchTicker(SYMBOL)), { symbol: SYMBOL });
  });

  it('until it is enough', async () => {
    expect(await streams.unWatchTrades(SYMBOL)).toBe(true);
    expect(await streams.unWatchTrades(SYMBOL)).toBe(true);
    is.trades(await streams.watchTrades(SYMBOL), SYMBOL, false);
  });
});

describe('a watched book', () => {
  /** Orders around the middle, some of which trade, and cancellations. */
  async function disturb(count: number): Promise<void> {
    const random = createRandom(count);
    for (let sent = 0; sent < count; sent += BATCH) {
      const by = random.below(2) === 0 ? maker : other;
      const orders = Array.from({ length: BATCH }, () => ({
        symbol: SYMBOL,
        type: 'limit',
        side: random.below(2) === 0 ? 'buy' : 'sell',
        amount: (1 + random.below(1000)) / 1e4,
        price: 63_950 + random.below(10_000) / 100,
      }));
      const placed = await by.createOrders(orders);
      const rest = placed.filter(({ status }) => status === 'open').map(({ id = '' }) => id);
      if (random.below(3) === 0 && rest.length > 0) await by.cancelOrders(rest);
    }
  }

  it(
    `equals the fetched one after ${ORDERS} random orders, with every checksum right`,
    async () => {
      let isOver = false;
      let updates = 0;
      let book = await whileTrading(streams.watchOrderBook(SYMBOL));
      const watching = (async () => {
        // Every update is verified as it is applied; one that does not fit throws.
        while (!isOver) {
          book = await streams.watchOrderBook(SYMBOL);
          updates += 1;
        }
      })();
      await disturb(ORDERS);
      const fetched = await soon(
        () => maker.fetchOrderBook(SYMBOL, 1000),
        ({ nonce }) => nonce === book.nonce,
      );
      const shown = ({ bids, asks, nonce }: Dict) => ({ bids, asks, nonce });
      expect(shown(book)).toEqual(shown(fetched));
      expect(book.bids.length + book.asks.length).toBeGreaterThan(100);
      expect(updates).toBeGreaterThan(ORDERS / 200);
      isOver = true;
      await whileTrading(watching);
    },
    180_000 + ORDERS * 100,
  );

  it('that went wrong is noticed, and begins anew', async () => {
    // Deep enough that no trade sets it right again.
    const level = streams.watched.books.get('depth:btcusdt')?.asks.levels[9];
    Object.assign(level ?? {}, { volume: '7.000000' });
    await expect(whileTrading(streams.watchOrderBook(SYMBOL))).rejects.toThrow(ChecksumError);
    const book = await streams.watchOrderBook(SYMBOL);
    const fetched = await maker.fetchOrderBook(SYMBOL, 1000);
    expect(book.asks[0]).toEqual(fetched.asks[0]);
  });
});

describe('the own account', () => {
  it('balances: all of them, then what has changed', async () => {
    const before = await own.watchBalance();
    is.balance(before);
    const after = await whileTrading(own.watchBalance());
    is.balance(after);
    expect(Object.keys(after['total'] ?? {})).toEqual(
      expect.arrayContaining(Object.keys(before['total'] ?? {})),
    );
    const { total } = (await taker.fetchBalance()) as Dict;
    await soon(
      async () => own.balance['total']['XRP'],
      (xrp) => xrp === total['XRP'],
    );
  });

  it('orders and trades, of one market or of all', async () => {
    const all = own.watchOrders();
    const one = own.watchOrders(SYMBOL);
    const trades = own.watchMyTrades(SYMBOL);
    is.orders(await whileTrading(all), SYMBOL);
    is.orders(await whileTrading(one), SYMBOL);
    is.trades(await whileTrading(trades), SYMBOL, true);
  });

  it('orders are placed, changed and canceled on the socket', async () => {
    const params = { clientOrderId: 'by-socket' };
    const placed = await own.createOrderWs(SYMBOL, 'limit', 'buy', '0.015', '50000.01', params);
    is.order(placed, SYMBOL);
    const { id = '' } = placed;
    const again = await own.createOrderWs(SYMBOL, 'limit', 'buy', '0.015', '50000.01', params);
    expect(again.id).toBe(id);
    is.order(await own.fetchOrderWs(id), SYMBOL);
    const smaller = await own.editOrderWs(id, SYMBOL, 'limit', 'buy', '0.01', '50000.01');
    expect(smaller).toMatchObject({ id, amount: 0.01 });
    const other = await own.editOrderWs(id, SYMBOL, 'limit', 'buy', 0.01, 50_000, {
      replace: true,
    });
    expect(other.id).not.toBe(id);
    is.order(await own.cancelOrderWs(other.id ?? ''), SYMBOL);
    await expect(own.cancelOrderWs('999999999')).rejects.toThrow(OrderNotFound);
    const order = { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.01, price: 50_000 };
    const many = await own.createOrdersWs([order, { ...order, amount: 1e6 }, order]);
    expect(many.map(({ status }) => status)).toEqual(['open', 'rejected', 'open']);
    const [first, , last] = many.map(({ id = '' }) => id);
    expect(await own.cancelOrdersWs([first ?? ''])).toMatchObject([{ status: 'canceled' }]);
    expect((await own.fetchOpenOrdersWs(SYMBOL)).map(({ id }) => id)).toContain(last);
    const canceled = await own.cancelAllOrdersWs(SYMBOL);
    expect(canceled.map(({ id }) => id)).toContain(last);
    const tried = await own.createOrderWs(SYMBOL, 'limit', 'buy', 0.01, 50_000, { test: true });
    expect(tried.info).toMatchObject({ accepted: true });
  });

  it('after a drop, nothing is missed and nothing comes twice', async () => {
    const seen: string[] = [];
    const note = (orders: readonly Order[]) => {
      for (const { id, status } of orders) seen.push(`${id} ${status}`);
    };
    const place = (by: rialto) => by.createOrder(SYMBOL, 'limit', 'buy', 0.001, 40_000);
    const { id: before = '' } = await place(own);
    while (!seen.includes(`${before} open`)) note(await own.watchOrders(SYMBOL));
    // The drop, and what happens while nobody listens.
    Object.values(own.clients as Record<string, Dict>)[0]?.['connection'].terminate();
    await own.watchOrders(SYMBOL).catch(() => {});
    const missed = [await place(taker), await place(taker)].map(({ id = '' }) => id);
    await taker.cancelOrder(missed[0] ?? '');
    const wanted = [`${before} open`, `${missed[0]} canceled`, `${missed[1]} open`];
    while (!wanted.every((one) => seen.includes(one))) note(await own.watchOrders(SYMBOL));
    const final = seen.filter((one) => wanted.includes(one));
    expect(final.toSorted()).toEqual(wanted.toSorted());
  });

  it('is watched and traded by nobody else', async () => {
    const reader = await venue.trader({ usdt: '1000' }, ['read']);
    const stranger = venue.streams(reader, { enableRateLimit: true });
    await stranger.watchBalance();
    // Ends with the connection.
    const seen = stranger.watchOrders().catch(() => []);
    await trade();
    const order = stranger.createOrderWs(SYMBOL, 'limit', 'buy', 0.001, 50_000);
    await expect(order).rejects.toThrow(PermissionDenied);
    expect(await Promise.race([seen, pause(500, 'still waiting')])).toBe('still waiting');
  });

  it('needs a key that is right', async () => {
    const wrong = venue.streams({ ...takerKey, secret: 'wrong' }, { enableRateLimit: true });
    await expect(wrong.watchBalance()).rejects.toThrow('3004 SIGNATURE_INVALID');
    const nobody = venue.streams(undefined, { enableRateLimit: true });
    await expect(nobody.watchBalance()).rejects.toThrow('requires "apiKey" credential');
  });
});
