// What a read costs the matching thread: it depends on the page, and not on the amount of other
// data.
import { applyTo, findDepth, listBalances, listOpenOrders, Tape } from '@rialto/matching';
import type { Command, MarketConfig, OrderTerms } from '@rialto/matching';
import { describe, expect, test } from 'vitest';
import { Machine } from './machine.ts';
import { readEngine } from './read-answers.ts';
import type { ReadName } from './door.ts';
import { answerRead } from './reads.ts';
import { firstConfig } from './recover.ts';

const COIN = 10n ** 18n;
const OWNER = 1;
const TIME = 1_760_000_000_000;

const marketOf = (base: string): MarketConfig => ({
  symbol: `${base}usdt`,
  base,
  quote: 'usdt',
  basePrecision: 2,
  quotePrecision: 1,
  minimumQuoteSize: 0n,
  maxMarketOrderAskLots: 1_000_000,
  maxMarketOrderBid: 1_000_000n * COIN,
  minimumVolumeLots: 1,
  maximumVolumeLots: 1_000_000,
  minimumPriceTicks: 1,
  maximumPriceTicks: 1_000_000_000,
  listingPriceTicks: 1_000_000,
  priceBandPpm: 900_000,
  marketSlippagePpm: 100_000,
  haltPpm: 0,
  haltMinutes: 2,
  defaultStpMode: 'expire_taker',
  maxOpenOrders: 1_000_000,
  maxConditionalOrders: 10,
  icebergParts: 10,
});

class Bench {
  readonly machine = Machine.empty({ ...firstConfig(0), memory: 1000, capacity: 1024, rules: 2 });
  readonly #tape = new Tape();

  constructor() {
    this.do({ type: 'list_coin', time: TIME, coin: 'usdt', networks: ['ETH'] });
    for (const base of ['btc', 'eth']) {
      const config = marketOf(base);
      this.do({ type: 'list_coin', time: TIME, coin: base, networks: ['ETH'] });
      this.do({ type: 'create_market', time: TIME, config });
      this.do({ type: 'set_phase', time: TIME, symbol: config.symbol, phase: 'continuous' });
    }
    this.do({ type: 'open_account', time: TIME, account: OWNER, parent: OWNER });
    this.do({
      type: 'credit_deposit',
      time: TIME,
      depositId: '1',
      network: 'ETH',
      coin: 'usdt',
      to: OWNER,
      amount: 10n ** 12n * COIN,
    });
  }

  do(command: Command): void {
    this.#tape.clear();
    applyTo(this.machine.state, command, this.#tape);
  }

  place(symbol: string, count: number): void {
    for (let i = 0; i < count; i++) {
      const order: OrderTerms = {
        symbol,
        side: 'buy',
        type: 'limit',
        price: 500_000 + (i % 9000),
        priceDecimals: 1,
        volume: 1 + i,
        volumeDecimals: 2,
        clientOrderId: `order-${symbol}-${i}`,
      };
      this.do({ type: 'place', time: TIME, account: OWNER, order });
    }
  }

  readonly ask = (name: ReadName, query: object): Promise<string> =>
    Promise.resolve(answerRead(this.machine, name, query));

  /** The shortest of many answers, in ms: other load only makes one longer. */
  measure(name: ReadName, query: object): number {
    let shortest = Infinity;
    for (let turn = 0; turn < 60; turn++) {
      const startedMs = performance.now();
      answerRead(this.machine, name, query);
      shortest = Math.min(shortest, performance.now() - startedMs);
    }
    return shortest;
  }
}

describe('a read of open orders', () => {
  const MANY = 100_000;
  const PAGE = { account: OWNER, limit: 200 };

  test('costs what its page costs, however many there are', { timeout: 120_000, retry: 3 }, () => {
    const few = new Bench();
    few.place('btcusdt', 200);
    few.place('ethusdt', 1);
    const many = new Bench();
    many.place('btcusdt', MANY);
    many.place('ethusdt', 1);
    const fewMs = few.measure('open', PAGE);
    const manyMs = many.measure('open', PAGE);
    expect(manyMs / fewMs).toBeLessThan(4);
    // Also in a market with one order, beside one with a hundred thousand.
    const other = { ...PAGE, symbol: 'ethusdt' };
    expect(many.measure('open', other)).toBeLessThan(fewMs);
    // A reader that asks for everything gets a page.
    const allMs = many.measure('open', { account: OWNER, limit: MANY });
    expect(allMs / fewMs).toBeLessThan(4);
  });

  test('is assembled from pages, and continues after an order that has ended meanwhile', async () => {
    const bench = new Bench();
    bench.place('btcusdt', 450);
    bench.place('ethusdt', 3);
    const { state } = bench.machine;
    let asked = 0;
    const orders = await readEngine(
      (name, query) => {
        asked += 1;
        // The last order that the reader has seen ends before it asks for more.
        if (asked === 2) bench.do({ type: 'cancel', time: TIME, account: OWNER, orderId: 200 });
        return bench.ask(name, query);
      },
      'open',
      { account: OWNER, limit: 1000 },
    );
    expect(asked).toBe(3);
    expect(orders.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 453 }, (_, i) => i + 1),
    );
    const now = listOpenOrders(state, OWNER);
    expect(orders.filter(({ orderId }) => orderId !== 200)).toEqual(now);
    const some = await readEngine(bench.ask, 'open', { account: OWNER, after: 10, limit: 250 });
    expect(some).toEqual(now.slice(10, 260));
    const none = await readEngine(bench.ask, 'open', { account: 77, limit: 250 });
    expect(none).toEqual([]);
  });
});

test('books, balances and markets arrive as the core has them, page by page', async () => {
  const bench = new Bench();
  bench.place('btcusdt', 12_000);
  const { state } = bench.machine;
  for (let i = 0; i < 250; i++) {
    bench.do({ type: 'list_coin', time: TIME, coin: `coin${i}`, networks: [] });
    if (i < 120) bench.do({ type: 'create_market', time: TIME, config: marketOf(`coin${i}`) });
  }
  const depth = await readEngine(bench.ask, 'depth', { symbol: 'btcusdt', limit: 1e9 });
  expect(depth?.bids).toHaveLength(5000);
  expect(depth).toEqual(findDepth(state, 'btcusdt', 5000));
  expect(await readEngine(bench.ask, 'depth', { symbol: 'nosuch', limit: 5 })).toBeNull();
  const balances = await readEngine(bench.ask, 'balances', { account: OWNER });
  expect(balances).toHaveLength(253);
  expect(balances).toEqual(listBalances(state, OWNER));
  const markets = await readEngine(bench.ask, 'markets', {});
  expect(markets.map(({ config }) => config)).toEqual(state.markets.map(({ config }) => config));
  const [one, ...more] = await readEngine(bench.ask, 'markets', { symbol: 'ethusdt' });
  expect(one).toMatchObject({ phase: 'continuous', config: { symbol: 'ethusdt' } });
  expect(more).toEqual([]);
  expect(await readEngine(bench.ask, 'markets', { symbol: 'nosuch' })).toEqual([]);
});

test('a malformed read gets an answer, and no more than a page', () => {
  const bench = new Bench();
  bench.place('btcusdt', 300);
  // The door refuses malformed reads; this is the second line of defence.
  for (const { name, ...query } of [
    { name: 'open' },
    { name: 'open', account: OWNER, limit: 'all' },
    { name: 'open', account: OWNER, limit: -1, after: 'x' },
    { name: 'open', account: OWNER, limit: 1e9, symbol: 7 },
    { name: 'balances', account: OWNER, from: -5 },
    { name: 'balances', account: OWNER, from: 0.5 },
    { name: 'balances', from: 1e300 },
    { name: 'markets', from: -1 },
    { name: 'depth', limit: 1e9 },
    { name: 'depth', symbol: 'btcusdt', limit: -1 },
    { name: 'order', account: OWNER },
  ] as const) {
    const answer = answerRead(bench.machine, name, query);
    expect(() => JSON.parse(answer) as unknown).not.toThrow();
    expect(answer.length).toBeLessThan(50_000);
  }
});
