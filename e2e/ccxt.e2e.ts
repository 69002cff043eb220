// The adapter for ccxt against a running venue, with ccxt as it comes from npm: every method of it returns the structures
// that ccxt promises.
import {
  InsufficientFunds,
  OperationRejected,
  OrderNotFound,
  PermissionDenied,
  type Dict,
} from 'ccxt';
import type { rialto } from '@rialto/ccxt-adapter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../packages/ccxt-adapter/src/describe.ts';
import type { Trader } from '../server/src/testing/trader.ts';
import { Structures } from './ccxt-structures.ts';
import { soon, startCcxtVenue, type CcxtVenue } from './ccxt-venue.ts';

const SYMBOL = 'BTC/USDT';

let venue: CcxtVenue;
let maker: rialto;
let taker: rialto;
let makerKey: Trader;
let is: Structures;

beforeAll(async () => {
  venue = await startCcxtVenue();
  makerKey = await venue.trader();
  maker = venue.rest(makerKey);
  taker = venue.rest(await venue.trader());
  await Promise.all([maker.loadMarkets(), taker.loadMarkets()]);
  is = new Structures(maker);
  await maker.createOrder(SYMBOL, 'limit', 'sell', 1, 64_100);
  await maker.createOrder(SYMBOL, 'limit', 'buy', 1, 63_900);
  await taker.createOrder(SYMBOL, 'market', 'buy', 0.01);
  await taker.createOrder(SYMBOL, 'market', 'sell', 0.02);
});
afterAll(() => venue?.close());

const place = (params: Dict = {}, price = 50_000) =>
  maker.createOrder(SYMBOL, 'limit', 'buy', 0.01, price, params);

/** One check for each method; a test below compares the list with what the adapter says it has. */
const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  async fetchTime() {
    expect(Math.abs((await maker.fetchTime()) - Date.now())).toBeLessThan(60_000);
  },
  async fetchStatus() {
    is.status(await maker.fetchStatus());
  },
  async fetchMarkets() {
    const markets = await maker.fetchMarkets();
    expect(markets.length).toBeGreaterThan(3);
    for (const market of Object.values(maker.markets ?? {})) is.market(market);
    expect(maker.market(SYMBOL)).toMatchObject({
      id: 'btcusdt',
      precision: { amount: 0.000001, price: 0.01 },
      limits: { cost: { min: 5 } },
      feeSide: 'get',
    });
  },
  async fetchCurrencies() {
    const currencies = await maker.fetchCurrencies();
    expect(Object.keys(currencies)).toContain('IRT');
    for (const currency of Object.values(currencies)) is.currency(currency);
    expect(currencies['USDT']).toMatchObject({
      id: 'usdt',
      name: 'Tether',
      fee: 3,
      networks: { TRX: { withdraw: false, deposit: true }, ETH: { fee: 3, precision: 0.000001 } },
    });
  },
  async fetchOrderBook() {
    const book = await maker.fetchOrderBook(SYMBOL);
    is.orderBook(book, SYMBOL);
    expect(book.asks.length + book.bids.length).toBeGreaterThanOrEqual(2);
    expect((await maker.fetchOrderBook(SYMBOL, 1)).asks).toHaveLength(1);
  },
  async fetchTicker() {
    const ticker = await soon(
      () => maker.fetchTicker(SYMBOL),
      ({ baseVolume }) => baseVolume === 0.03,
    );
    is.ticker(ticker, { symbol: SYMBOL });
    expect(ticker).toMatchObject({ last: 63_900, baseVolume: 0.03 });
  },
  async fetchTickers() {
    const tickers = await maker.fetchTickers();
    expect(Object.keys(tickers).length).toBe(maker.symbols.length);
    for (const ticker of Object.values(tickers)) is.ticker(ticker);
    expect(Object.keys(await maker.fetchTickers([SYMBOL]))).toEqual([SYMBOL]);
  },
  async fetchLastPrices() {
    const prices = await soon(
      () => maker.fetchLastPrices([SYMBOL]),
      (found) => found[SYMBOL]?.price !== undefined,
    );
    expect(prices[SYMBOL]?.price).toBe(63_900);
    for (const price of Object.values(await maker.fetchLastPrices())) is.lastPrice(price);
  },
  async fetchBidsAsks() {
    const best = await maker.fetchBidsAsks([SYMBOL]);
    is.ticker(best[SYMBOL] ?? {}, { symbol: SYMBOL, isBest: true });
  },
  async fetchTrades() {
    const trades = await soon(
      () => maker.fetchTrades(SYMBOL),
      ({ length }) => length === 2,
    );
    is.trades(trades, SYMBOL, false);
    expect(trades.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect(await maker.fetchTrades(SYMBOL, trades[0]?.timestamp, 1)).toEqual([trades[0]]);
  },
  async fetchOHLCV() {
    const candles = await soon(
      () => maker.fetchOHLCV(SYMBOL, '1m'),
      (found) => found.some(([, , , , , volume = 0]) => volume > 0),
    );
    is.ohlcvs(candles);
    const since = Math.floor(Date.now() / 86_400_000) * 86_400_000;
    expect((await maker.fetchOHLCV(SYMBOL, '1d', since, 1))[0]?.[0]).toBe(since);
  },
  async fetchDepositWithdrawFees() {
    const fees = await maker.fetchDepositWithdrawFees();
    for (const fee of Object.values<Dict>(fees)) is.depositWithdrawFee(fee);
    expect(fees['USDT']).toMatchObject({ withdraw: { fee: 3 }, networks: { TRX: {} } });
    expect(Object.keys(await maker.fetchDepositWithdrawFees(['BTC']))).toEqual(['BTC']);
  },
  // Money is simulated at this venue, so no network leads to it; the server's tests have real nodes.
  async fetchDepositAddress() {
    await expect(maker.fetchDepositAddress('BTC')).rejects.toThrow(OperationRejected);
  },
  async createDepositAddress() {
    await expect(maker.createDepositAddress('BTC')).rejects.toThrow(OperationRejected);
  },
  async fetchDepositAddressesByNetwork() {
    const asked = maker.fetchDepositAddressesByNetwork('BTC');
    await expect(asked).rejects.toThrow(OperationRejected);
  },
  async fetchWithdrawals() {
    expect(await maker.fetchWithdrawals()).toEqual([]);
  },
  async fetchDepositsWithdrawals() {
    expect(await maker.fetchDepositsWithdrawals()).toEqual([]);
  },
  async withdraw() {
    // The key may not, and money is simulated here.
    await expect(maker.withdraw('BTC', '0.1', 'bc1qexample')).rejects.toThrow(PermissionDenied);
  },
  async fetchDeposits() {
    expect(await maker.fetchDeposits()).toEqual([]);
  },
  async fetchBalance() {
    is.balance(await maker.fetchBalance());
  },
  async fetchAccounts() {
    const accounts = await maker.fetchAccounts();
    expect(accounts[0]?.id).toBe(String(makerKey.accountId));
    for (const account of accounts) is.account(account);
  },
  async fetchTradingFee() {
    is.tradingFee(await maker.fetchTradingFee(SYMBOL), SYMBOL);
  },
  async fetchTradingFees() {
    const fees = await maker.fetchTradingFees();
    expect(Object.keys(fees)).toContain(SYMBOL);
    for (const [symbol, fee] of Object.entries(fees)) is.tradingFee(fee, symbol);
  },
  async fetchLedger() {
    const entries = await soon(
      () => maker.fetchLedger('BTC'),
      (found) => found.some(({ type }) => type === 'trade'),
    );
    for (const entry of entries) is.ledgerEntry(entry, 'BTC');
    expect(new Set(entries.map(({ type }) => type))).toContain('transaction');
    const [first] = await maker.fetchLedger('BTC', entries[0]?.timestamp, 1);
    expect(first?.id).toBe(entries[0]?.id);
  },
  async transfer() {
    const { accountId } = await maker['privatePostSubAccountCreate']({ label: 'second' }).then(
      ({ result }: Dict) => result,
    );
    const own = String(makerKey.accountId);
    const params = { clientTransferId: 'once' };
    const first = await maker.transfer('USDT', '12.5', own, accountId, params);
    is.transfer(first, 'USDT');
    expect(first).toMatchObject({ amount: 12.5, fromAccount: own, toAccount: accountId });
    expect((await maker.transfer('USDT', '12.5', own, accountId, params)).id).toBe(first.id);
  },
  async fetchTransfers() {
    const transfers = await maker.fetchTransfers('USDT');
    expect(transfers).toHaveLength(1);
    for (const transfer of transfers) is.transfer(transfer, 'USDT');
    expect(await maker.fetchTransfers('BTC')).toEqual([]);
  },
  async createOrder() {
    is.order(await place(), SYMBOL);
    is.order(await place({ postOnly: true }), SYMBOL);
    is.order(await place({ timeInForce: 'IOC' }), SYMBOL);
    is.order(await place({ expireTime: Date.now() + 60_000 }), SYMBOL);
    const stop = await maker.createOrder(SYMBOL, 'market', 'sell', 0.01, undefined, {
      stopLossPrice: 60_000,
    });
    is.order(stop, SYMBOL);
    expect(stop).toMatchObject({ type: 'market', triggerPrice: 60_000, status: 'open' });
    const trail = { trailingPercent: 1.5 };
    is.order(await maker.createOrder(SYMBOL, 'market', 'sell', 1, undefined, trail), SYMBOL);
    const tried = await place({ test: true });
    expect(tried).toMatchObject({ symbol: SYMBOL, side: 'buy', amount: 0.01, id: undefined });
    expect(tried.info).toMatchObject({ accepted: true });
  },
  async createMarketBuyOrderWithCost() {
    const order = await taker.createMarketBuyOrderWithCost(SYMBOL, '64.1');
    is.order(order, SYMBOL);
    expect(order).toMatchObject({ amount: 0.001, filled: 0.001, cost: 64.1, status: 'closed' });
  },
  async createOrders() {
    const orders = await maker.createOrders([
      { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.01, price: 50_000 },
      { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 1e6, price: 50_000 },
    ]);
    is.order(orders[0] ?? {}, SYMBOL);
    expect(orders.map(({ status }) => status)).toEqual(['open', 'rejected']);
    expect(orders[1]?.info).toMatchObject({ code: '4010' });
  },
  async editOrder() {
    const { id = '' } = await place();
    const smaller = await maker.editOrder(id, SYMBOL, 'limit', 'buy', 0.005, 50_000.01);
    is.order(smaller, SYMBOL);
    expect(smaller).toMatchObject({ id, amount: 0.005, price: 50_000.01 });
    const params = { timeInForce: 'PO' };
    const other = await maker.editOrder(id, SYMBOL, 'limit', 'buy', 0.005, 50_000, params);
    is.order(other, SYMBOL);
    expect(other.id).not.toBe(id);
    expect((await maker.fetchOrder(id)).status).toBe('canceled');
  },
  async cancelOrder() {
    const { id = '' } = await place({ clientOrderId: 'to-cancel' });
    is.order(await maker.cancelOrder('', undefined, { clientOrderId: 'to-cancel' }), SYMBOL);
    await expect(maker.cancelOrder(id, SYMBOL)).rejects.toThrow('4013 ORDER_FINAL');
    await expect(maker.cancelOrder('999999999', SYMBOL)).rejects.toThrow(OrderNotFound);
  },
  async cancelOrders() {
    const ids = [await place(), await place()].map(({ id = '' }) => id);
    const canceled = await maker.cancelOrders([...ids, '999999999']);
    for (const order of canceled.slice(0, 2)) is.order(order, SYMBOL);
    expect(canceled.map(({ status }) => status)).toEqual(['canceled', 'canceled', undefined]);
    expect(canceled[2]?.info).toMatchObject({ code: '4011' });
  },
  async cancelAllOrdersAfter() {
    const armed = await maker.cancelAllOrdersAfter(60_000);
    expect(Number(armed['triggerTime'])).toBeGreaterThan(Date.now());
    expect(await maker.cancelAllOrdersAfter(0)).toEqual({ triggerTime: '' });
  },
  async fetchOrder() {
    const { id = '' } = await taker.createOrder(SYMBOL, 'market', 'buy', 0.01);
    const order = await soon(
      () => taker.fetchOrder(id, SYMBOL),
      ({ trades }) => trades.length > 0,
    );
    is.order(order, SYMBOL);
    expect(order).toMatchObject({ filled: 0.01, remaining: 0, status: 'closed', cost: 641 });
  },
  async fetchOpenOrders() {
    await place();
    is.orders(await maker.fetchOpenOrders(SYMBOL), SYMBOL);
    expect(await maker.fetchOpenOrders('ETH/USDT')).toEqual([]);
  },
  async fetchOrders() {
    is.orders(await maker.fetchOrders(SYMBOL), SYMBOL);
  },
  async fetchClosedOrders() {
    const read = () => taker.fetchClosedOrders(SYMBOL);
    const orders = await soon(read, ({ length }) => length > 0);
    is.orders(orders, SYMBOL);
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['closed']));
  },
  async fetchCanceledOrders() {
    const read = () => maker.fetchCanceledOrders(SYMBOL);
    const orders = await soon(read, ({ length }) => length > 0);
    is.orders(orders, SYMBOL);
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['canceled']));
  },
  async fetchOrderTrades() {
    const { id = '' } = await taker.createOrder(SYMBOL, 'market', 'buy', 0.01);
    const read = () => taker.fetchOrderTrades(id, SYMBOL);
    const trades = await soon(read, ({ length }) => length > 0);
    is.trades(trades, SYMBOL, true);
    expect(trades[0]).toMatchObject({ order: id, type: 'market', takerOrMaker: 'taker' });
  },
  async fetchMyTrades() {
    const trades = await maker.fetchMyTrades(SYMBOL);
    is.trades(trades, SYMBOL, true);
    expect(trades[0]).toMatchObject({ takerOrMaker: 'maker', side: 'sell' });
    expect(trades[0]?.fee?.currency).toBe('USDT');
  },
  async cancelAllOrders() {
    await place();
    const canceled = await maker.cancelAllOrders(SYMBOL);
    expect(canceled.length).toBeGreaterThan(0);
    for (const { id, status, symbol } of canceled) {
      expect([typeof id, status, symbol]).toEqual(['string', 'canceled', SYMBOL]);
    }
    expect(await maker.fetchOpenOrders()).toEqual([]);
  },
};

describe('every method returns what ccxt promises', () => {
  it('and every method is checked', () => {
    const served = Object.keys(METHODS).filter((name) => maker.has[name] === true);
    expect(Object.keys(CHECKS).toSorted()).toEqual(served.toSorted());
  });

  it.each(Object.entries(CHECKS))('%s', (_name, check) => check());

  it('what the venue refuses is an exception of ccxt', async () => {
    const poor = venue.rest(await venue.trader({ usdt: '1' }));
    const order = poor.createOrder(SYMBOL, 'limit', 'buy', 1, 60_000);
    await expect(order).rejects.toThrow(InsufficientFunds);
  });
});
