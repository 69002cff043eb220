import {
  apply,
  audit,
  createState,
  findDepth,
  listMarkets,
  listOpenOrders,
  type Command,
} from '@rialto/matching';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../server/src/platform/std/time.ts';
import { simulatedCommands } from '../../../server/src/trading/custody/simulated.ts';
import { toMarketConfig } from '../../../server/src/trading/operators/market-terms.ts';
import { COINS } from '../data/coins.ts';
import { levelOf, MARKETS } from '../data/markets.ts';
import { createChance } from './chance.ts';
import { drawHistory, HISTORY_MS, LEVELS_PER_SIDE, openMarkets } from './history.ts';
import { createPrices } from './prices.ts';

const END_MS = 1_760_000_000_000;
const DESK = { makers: [1, 2], takers: [3, 4], patient: [5] };

function setUp(startMs: number): Command[] {
  const accounts = [...DESK.makers, ...DESK.takers, ...DESK.patient];
  const deposits = accounts.flatMap((to) =>
    COINS.map(({ symbol, traderFunds }) => ({
      to,
      coin: symbol,
      amount: BigInt(traderFunds) * 50n * 10n ** 18n,
    })),
  );
  const untimed = [
    { type: 'define_fee_tier', tier: 0, makerPpm: 1000, takerPpm: 1500 } as const,
    ...accounts.map((account) => ({ type: 'open_account', account, parent: account }) as const),
    ...simulatedCommands(deposits),
    ...MARKETS.map(
      (market) => ({ type: 'create_market', config: toMarketConfig(market) }) as const,
    ),
    ...openMarkets().map(
      ({ symbol }) => ({ type: 'set_phase', symbol, phase: 'continuous' }) as const,
    ),
  ];
  return untimed.map((command) => ({ ...command, time: startMs }));
}

it('the core accepts a week of trading to the last order, and its ledger adds up', () => {
  const state = createState({ shard: 0, memory: 100_000, capacity: 4096 });
  let lastMs = END_MS - HISTORY_MS;
  const lastDay = new Map<string, number>();
  const refusals: unknown[] = [];
  const outside: number[] = [];
  let trades = 0;
  for (const command of setUp(lastMs)) {
    const { result } = apply(state, command);
    if (result.kind === 'rejected') refusals.push(command, result.rejection);
  }
  for (const { time, command } of drawHistory(3, END_MS, DESK)) {
    if (time < END_MS - HISTORY_MS || time > END_MS) outside.push(time);
    lastMs = Math.max(lastMs, time);
    const { result, steps } = apply(state, { ...command, time: lastMs });
    if (result.kind === 'rejected') refusals.push(command, result.rejection);
    if (result.kind === 'batch' && result.items.some(({ kind }) => kind !== 'placed')) {
      refusals.push(command, result);
    }
    for (const trade of steps.flatMap((step) => step.trades)) {
      trades += 1;
      if (lastMs > END_MS - DAY_MS) {
        lastDay.set(trade.symbol, (lastDay.get(trade.symbol) ?? 0) + 1);
      }
    }
  }
  expect(refusals).toEqual([]);
  expect(outside).toEqual([]);
  expect(audit(state)).toEqual([]);
  const waiting = listOpenOrders(state, DESK.patient[0] ?? 0);
  expect(new Set(waiting.map(({ type }) => type))).toEqual(
    new Set(['limit', 'stop_limit', 'stop_market', 'trailing_stop']),
  );
  expect(new Set(waiting.map(({ orderListKind }) => orderListKind))).toEqual(
    new Set(['oco', 'bracket', '']),
  );
  expect(trades).toBeGreaterThan(6000);
  for (const { symbol, base, quote, quotePrecision } of openMarkets()) {
    expect(lastDay.get(symbol), symbol).toBeGreaterThan(150);
    const depth = findDepth(state, symbol);
    // Rarely, two makers choose the same price.
    for (const side of [depth?.bids, depth?.asks]) {
      expect(side?.length, symbol).toBeGreaterThan(LEVELS_PER_SIDE);
    }
    const [bid, ask] = [depth?.bids[0]?.priceTicks ?? 0, depth?.asks[0]?.priceTicks ?? 0];
    expect(ask - bid, symbol).toBeLessThan(bid * 0.005);
    const last = listMarkets(state).find(({ config }) => config.symbol === symbol);
    const level = levelOf(base, quote) * 10 ** quotePrecision;
    expect((last?.lastPriceTicks ?? 0) / level, symbol).toBeGreaterThan(0.6);
    expect((last?.lastPriceTicks ?? 0) / level, symbol).toBeLessThan(1.6);
  }
}, 60_000);

it('the same seed draws the same week, and another seed another', () => {
  const first = (seed: number) => [...drawHistory(seed, END_MS, DESK)].slice(0, 200);
  expect(first(5)).toEqual(first(5));
  expect(first(5)).not.toEqual(first(6));
});

it('draws are uniform, and their sums are normally distributed', () => {
  const chance = createChance(11);
  const draws = Array.from({ length: 20_000 }, () => chance.bell());
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length;
  const spread = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(spread - 1)).toBeLessThan(0.05);
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 10_000; i += 1) counts[chance.below(5)]! += 1;
  for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
});

it('prices stay near their levels for a year, and markets agree with each other', () => {
  const prices = createPrices(createChance(2), 0);
  for (let day = 1; day <= 365; day += 1) {
    prices.advance(day * DAY_MS);
    const cross = prices.of('eth', 'btc') * prices.of('btc', 'irt');
    expect(cross / prices.of('eth', 'irt')).toBeCloseTo(1, 9);
  }
  for (const { base, quote } of MARKETS) {
    const ratio = prices.of(base, quote) / levelOf(base, quote);
    expect(ratio, base + quote).toBeGreaterThan(0.5);
    expect(ratio, base + quote).toBeLessThan(2);
  }
});
