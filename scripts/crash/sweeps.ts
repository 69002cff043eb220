// Cancellations of many orders at once, which the engine does in steps and may die between: all
// orders of an account, all orders of a market, and a delisted market.
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderTerms } from '@rialto/matching';
import type { Random } from '../../server/src/testing/random.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { exampleTerms } from '../../server/src/testing/live-venue.ts';
import { EngineFailure, type Engine } from '../../server/src/trading/engine/door.ts';
import { awaitCommand, requestAct } from '../../server/src/trading/operators/actions.ts';
import { cancelOrdersIn, createMarket, setPhase } from '../../server/src/trading/operators/acts.ts';
import { isFinal, type Act } from '../../server/src/trading/operators/command-row.ts';
import { toMarketConfig } from '../../server/src/trading/operators/market-terms.ts';
import type { Operator } from '../../server/src/accounts/operators/operator.ts';
import { keyOf, type Records } from './records.ts';
import { until } from './until.ts';

export interface Sweep {
  readonly kind: 'account' | 'market' | 'delisting';
  readonly symbol: string;
  /** The orders that must be gone afterwards. */
  readonly orderIds: readonly number[];
}

export interface SweepsOptions {
  readonly ctx: Context;
  readonly engine: Engine;
  readonly records: Records;
  readonly operator: Operator;
  /** The accounts whose orders are swept. */
  readonly accounts: readonly number[];
  readonly random: Random;
  /** Orders in each sweep. */
  readonly size: number;
}

export interface Sweeps {
  readonly all: readonly Sweep[];
  /** Places the orders of the next sweeps. The returned function begins them. */
  prepare(): Promise<() => UnderWay>;
}

export interface UnderWay {
  /** Resolves when the first sweep has been answered, so its later steps come now. */
  readonly begun: Promise<void>;
  /** Resolves when none of their orders is left. */
  readonly over: Promise<void>;
}

const PER_BATCH = 20;
const UNDER_WAY = 50;
const RETRY_MS = 50;
const WAIT_MS = 60_000;
export const SWEPT_MARKETS = { account: 'ethusdt', market: 'xrpusdt' } as const;
/** Markets for delisting: each can be delisted once. */
const PAIRS = ['btc', 'eth', 'xrp', 'usdt']
  .flatMap((base) => ['irt', 'usdt', 'btc', 'eth', 'xrp'].map((quote) => ({ base, quote })))
  .filter(
    ({ base, quote }) =>
      base !== quote && !['btcusdt', 'btcirt', 'ethusdt', 'xrpusdt'].includes(base + quote),
  );

export function createSweeps(options: SweepsOptions): Sweeps {
  const { ctx, engine, records, operator, accounts, random, size } = options;
  const all: Sweep[] = [];
  const pairs = random.shuffled(PAIRS);
  let count = 0;

  /** These acts may be sent twice: a repeat has no further effect. */
  async function perform(act: Act): Promise<void> {
    const id = await until(`${act.act} is asked for`, () => requestAct(ctx, operator, act));
    await until(`${act.act} of ${act.subject} has ended`, async () => {
      const row = await awaitCommand(ctx, id, RETRY_MS);
      return isFinal(row.status) ? true : undefined;
    });
  }

  /** Fills a market for one account after another; gives the ids of the orders. */
  async function fill(symbol: string, owners: readonly number[]): Promise<number[]> {
    const orderIds: number[] = [];
    const batches = Array.from({ length: Math.ceil(size / PER_BATCH) }, (_, index) => {
      const account = owners[index % owners.length] ?? 0;
      return { account, orders: Array.from({ length: PER_BATCH }, () => sideOrder(symbol)) };
    });
    await Promise.all(
      Array.from({ length: UNDER_WAY }, async () => {
        for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
          orderIds.push(...(await placeBatch(batch.account, batch.orders)));
        }
      }),
    );
    return orderIds;
  }

  function sideOrder(symbol: string): OrderTerms {
    count += 1;
    return {
      symbol,
      side: 'buy',
      type: 'limit',
      // Orders of one tick: nothing is cheaper, and many such orders make many levels.
      ...SIDE_TERMS[symbol === 'ethusdt' || symbol === 'xrpusdt' ? symbol : 'other'](count),
      clientOrderId: `swept-${count}`,
    };
  }

  async function placeBatch(account: number, orders: readonly OrderTerms[]): Promise<number[]> {
    const deadline = performance.now() + WAIT_MS;
    const asked = orders.map((order) =>
      records.open(keyOf.place(account, order.clientOrderId ?? ''), 'door', {
        type: 'place',
        account,
        order,
      }),
    );
    for (let why = ''; performance.now() < deadline; await sleep(RETRY_MS)) {
      try {
        const { result } = await engine.submit({
          type: 'place_batch',
          account,
          checkpoint: Number.MAX_SAFE_INTEGER,
          mode: 'independent',
          orders,
        });
        const items = result.kind === 'batch' ? result.items : [];
        const placed = items.flatMap((item) => (item.kind === 'placed' ? [item] : []));
        if (placed.length === orders.length) {
          for (const [index, item] of placed.entries()) {
            const one = asked[index];
            if (one === undefined) continue;
            records.add(one, { kind: 'done', said: '', isReplay: item.replay });
          }
          return placed.map(({ order }) => order.orderId);
        }
        why = JSON.stringify(items.find(({ kind }) => kind !== 'placed') ?? result);
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        why = error.message;
      }
      if (performance.now() + RETRY_MS >= deadline) {
        throw new Error(`A market could not be filled: ${why}`);
      }
    }
    throw new Error('A market could not be filled in time.');
  }

  async function cancelAll(account: number, symbol: string): Promise<void> {
    await until('all orders of an account are asked to be canceled', async () => {
      try {
        const { result } = await engine.submit({ type: 'cancel_all', account, symbol });
        return result.kind === 'canceled_all' ? true : undefined;
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        return undefined;
      }
    });
  }

  async function untilGone(symbol: string): Promise<void> {
    for (const account of accounts) {
      await until(`the orders in ${symbol} are swept`, async () => {
        const open = await engine.read('open', { account, symbol, limit: 1 });
        return open.length === 0 ? true : undefined;
      });
    }
  }

  async function newMarket(): Promise<string | undefined> {
    const pair = pairs.pop();
    if (pair === undefined) return undefined;
    const { base, quote } = pair;
    const terms = exampleTerms('ethusdt', {
      base,
      quote,
      basePrecision: 3,
      quotePrecision: 3,
      minimumQuoteSize: '0.001',
      listingPrice: '10',
      maxOpenOrders: 1_000_000,
    });
    const config = toMarketConfig(terms);
    await perform(createMarket(config));
    await perform(setPhase(config.symbol, 'continuous'));
    return config.symbol;
  }

  return {
    all,
    async prepare() {
      const [one = 0] = accounts;
      const delisted = await newMarket();
      const account = SWEPT_MARKETS.account;
      const market = SWEPT_MARKETS.market;
      const works: (() => Promise<void>)[] = [
        () => cancelAll(one, account),
        () => perform(cancelOrdersIn(market, 'The run sweeps.')),
      ];
      all.push({ kind: 'account', symbol: account, orderIds: await fill(account, [one]) });
      all.push({ kind: 'market', symbol: market, orderIds: await fill(market, accounts) });
      if (delisted !== undefined) {
        all.push({
          kind: 'delisting',
          symbol: delisted,
          orderIds: await fill(delisted, accounts),
        });
        works.push(() => perform(setPhase(delisted, 'delisted')));
      }
      return () => {
        const answered = random.shuffled(works).map((work) => work());
        const over = Promise.all(answered).then(async () => {
          for (const symbol of [account, market, delisted]) {
            if (symbol !== undefined) await untilGone(symbol);
          }
        });
        return { begun: Promise.race(answered), over };
      };
    },
  };
}

const SIDE_TERMS = {
  ethusdt: (n: number) => ({
    price: 300_000 + (n % 5000),
    priceDecimals: 2,
    volume: 200,
    volumeDecimals: 5,
  }),
  xrpusdt: (n: number) => ({
    price: 22_000 + (n % 2000),
    priceDecimals: 4,
    volume: 30,
    volumeDecimals: 1,
  }),
  other: (n: number) => ({
    price: 9000 + (n % 500),
    priceDecimals: 3,
    volume: 1,
    volumeDecimals: 3,
  }),
} as const;
