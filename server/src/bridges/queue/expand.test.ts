import { describe, expect, it } from 'vitest';
import { Batch } from '../../trading/batches/batch.ts';
import { listChanges } from '../../trading/batches/changes.ts';
import { toOrder } from '../../trading/orders/order.ts';
import { createRandom } from '../../testing/random.ts';
import {
  limitOrder,
  openingCommands,
  randomCommand,
  TestBatches,
} from '../../testing/trading/batches.ts';
import { ELEMENTS_MAX, type TradingEvent } from './events.ts';
import { Expansion } from './expand.ts';

const ALL = new Set(['order', 'trade', 'balance', 'market']);
const ACCOUNTS = [3, 7, 8, 21, 40];

const expand = (batch: Batch, types: Iterable<string>, accounts: Iterable<number>) =>
  new Expansion(batch)
    .textsFor(new Set(types), new Set(accounts))
    .map((text) => JSON.parse(text) as TradingEvent);

function* randomBatches(seed: number, count: number): Generator<Batch> {
  const random = createRandom(seed);
  const batches = new TestBatches();
  batches.write(openingCommands(ACCOUNTS));
  for (let position = 1; position <= count; position += 1) {
    const commands = Array.from({ length: 1 + random.below(40) }, () =>
      randomCommand(random, ACCOUNTS),
    );
    for (const payload of batches.write(commands)) yield new Batch({ position, payload });
  }
}

/** What an account must be told of a batch, said slowly: which orders in which version, and which trades. */
function tellSlowly(batch: Batch, account: number) {
  const changes = batch.steps.flatMap(listChanges).filter((change) => change.account === account);
  return {
    orders: changes.flatMap(({ orders }) =>
      orders.map((order) => toOrder(order, batch.pairOf(order.symbol))),
    ),
    tradeIds: changes.flatMap(({ trades }) => trades.map(({ trade }) => String(trade.tradeId))),
    coins: new Set(
      batch.steps
        .flatMap(({ journals }) => journals.flatMap(({ postings }) => postings))
        .filter(({ owner }) => owner === account)
        .map(({ coin }) => coin),
    ),
  };
}

describe('a batch in the queue of somebody', () => {
  it('has everything of their accounts and nothing of others, by account, in the order of types', () => {
    let [orders, trades, balances, markets] = [0, 0, 0, 0];
    for (const batch of randomBatches(1, 60)) {
      const own = [21, 7];
      const events = expand(batch, ALL, own);
      const ofAccounts = events.filter((event) => event.type !== 'market');
      expect(ofAccounts.every(({ accountId }) => own.includes(Number(accountId)))).toBe(true);
      const places = events.map((event) =>
        event.type === 'market'
          ? 0
          : Number(event.accountId) * 10 + ['order', 'trade', 'balance'].indexOf(event.type) + 1,
      );
      expect(places).toEqual([...places].sort((a, b) => a - b));
      for (const account of own) {
        const mine = ofAccounts.filter(({ accountId }) => accountId === String(account));
        const told = tellSlowly(batch, account);
        expect(mine.flatMap((event) => (event.type === 'order' ? event.orders : []))).toEqual(
          told.orders,
        );
        expect(
          mine
            .flatMap((event) => (event.type === 'trade' ? event.trades : []))
            .map(({ tradeId }) => tradeId),
        ).toEqual(told.tradeIds);
        const held = mine.flatMap((event) => (event.type === 'balance' ? event.balances : []));
        expect(new Set(held.map(({ coin }) => coin))).toEqual(told.coins);
        orders += told.orders.length;
        trades += told.tradeIds.length;
        balances += held.length;
      }
      for (const event of events) {
        expect(event).toMatchObject({ engineSeq: String(batch.engineSeq) });
      }
      markets += events.filter(({ type }) => type === 'market').length;
    }
    expect(orders).toBeGreaterThan(200);
    expect(trades).toBeGreaterThan(100);
    expect(balances).toBeGreaterThan(60);
    expect(markets).toBeGreaterThan(5);
  });

  it('has for fewer types or accounts exactly those events of the whole, in the same order', () => {
    const random = createRandom(2);
    for (const batch of randomBatches(2, 30)) {
      const whole = expand(batch, ALL, ACCOUNTS);
      const types = [...ALL].filter(() => random.below(2) === 0);
      const own = ACCOUNTS.filter(() => random.below(2) === 0);
      expect(expand(batch, types, own)).toEqual(
        whole.filter(
          (event) =>
            types.includes(event.type) &&
            (event.type === 'market' || own.includes(Number(event.accountId))),
        ),
      );
    }
  });

  it('decodes nothing for somebody whom it does not name', () => {
    for (const batch of randomBatches(3, 5)) {
      let decoded = 0;
      const watched = new Proxy(batch, {
        get(target, name) {
          if (name === 'steps' || name === 'balances') decoded += 1;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      const expansion = new Expansion(watched);
      expect(expansion.textsFor(new Set(['order', 'trade', 'balance']), new Set([99]))).toEqual([]);
      expect(decoded).toBe(0);
      const [account = 0] = batch.accounts;
      expansion.textsFor(ALL, new Set([account]));
      expansion.textsFor(ALL, new Set([account, 99]));
      expect(decoded, 'once for all queues').toBe(2);
    }
  });
});

it('an order with five thousand fills fits, in events of five hundred elements', () => {
  const fills = 5000;
  const batches = new TestBatches();
  batches.write(openingCommands(ACCOUNTS));
  const makers = [7, 8, 21];
  const resting = Array.from({ length: fills }, (_, index) =>
    limitOrder(makers[index % makers.length] as number, 'sell'),
  );
  for (let from = 0; from < fills; from += 500) batches.write(resting.slice(from, from + 500));
  const [payload = '', ...more] = batches.write([limitOrder(3, 'buy', { lots: 1000 * fills })]);
  expect(more).toEqual([]);
  const batch = new Batch({ position: 1, payload });

  const taker = expand(batch, ALL, [3]);
  expect(taker.map(({ type }) => type)).toEqual([
    'order',
    ...Array.from({ length: fills / ELEMENTS_MAX }, () => 'trade'),
    'balance',
  ]);
  const trades = taker.flatMap((event) => (event.type === 'trade' ? event.trades : []));
  expect(new Set(trades.map(({ tradeId }) => tradeId)).size).toBe(fills);
  const [order] = taker.flatMap((event) => (event.type === 'order' ? event.orders : []));
  expect(order).toMatchObject({ status: 'filled', filledVolume: '5.000000' });

  // One person with all the accounts still gets ids of one position.
  const everything = expand(batch, ALL, ACCOUNTS);
  expect(everything.length).toBeLessThan(100);
  for (const event of everything) {
    const elements =
      event.type === 'order' ? event.orders : event.type === 'trade' ? event.trades : [];
    expect(elements.length).toBeLessThanOrEqual(ELEMENTS_MAX);
  }
});
