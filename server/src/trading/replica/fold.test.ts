import type { Step, Trade, PublicStep } from '@rialto/matching';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../platform/std/time.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { openingCommands, randomCommand, TestBatches } from '../../testing/trading/batches.ts';
import { Batch } from '../batches/batch.ts';
import type { TradedInterval } from '../candles/candle.ts';
import { KEPT_MINUTES } from '../candles/resolution.ts';
import { Fold } from '../projections/fold.ts';
import { KEPT_BACK_MS, Memory, type Limits, type Part } from './fold.ts';

const ACCOUNTS = [1, 2, 3];
const MANY: Limits = { tradesMax: 1_000_000, tradesMs: 1_000_000_000 };
const START = { seq: 0, engineSeq: 0 };
const TIME_MS = 1_760_000_000_000;

/** What the engine wrote about many random orders. */
function writeBatches(seed: number, rows: number): Batch[] {
  const random = createRandom(seed);
  const engine = new TestBatches();
  const payloads = [...engine.write(openingCommands(ACCOUNTS))];
  for (let row = 0; row < rows; row += 1) {
    const commands = Array.from({ length: 1 + random.below(20) }, () =>
      randomCommand(random, ACCOUNTS),
    );
    payloads.push(...engine.write(commands));
  }
  return payloads.map((payload, index) => new Batch({ position: index + 1, payload }));
}

/** A step with some trades of made-up markets. */
function makeStep(random: Random, lastId: number, time: number): PublicStep {
  const count = random.below(4);
  const trades = Array.from({ length: count }, (_, index) => ({
    tradeId: lastId + index + 1,
    symbol: random.pick(['aaabbb', 'cccddd']),
    priceTicks: 1 + random.below(1000),
    lots: 1 + random.below(1000),
    priceDecimals: random.below(4),
    volumeDecimals: random.below(8),
    total: BigInt(random.below(1_000_000)),
    takerSide: random.pick(['buy', 'sell'] as const),
  }));
  return { engineSeq: lastId + 1, time, trades, markets: [] };
}

const rowOf = (seq: number, trades: readonly PublicStep[]): Part => ({
  seq,
  engineSeq: trades.at(-1)?.engineSeq ?? seq,
  part: 0,
  isLast: true,
  publicSteps: trades,
});

describe('memory and the projections', () => {
  it.each([1, 2, 3])('have the same trades and candles (seed %i)', (seed) => {
    const memory = new Memory(MANY, START);
    const fold = new Fold({ lastOrderId: 0, lastEntryId: 0 }, []);
    for (const batch of writeBatches(seed, 60)) {
      expect(memory.take(batch)).toBe(true);
      for (const step of batch.steps) {
        fold.add({ outcomes: [{ steps: [step], result: { kind: 'done' } }], asked: NOTHING_ASKED });
      }
    }
    const said = memory.market('btcusdt').trades.map((trade) => JSON.stringify(trade, texts));
    const written = fold.trades.map(({ trade, timeMs, engineSeq }) =>
      JSON.stringify({ ...toUnits(trade), timeMs: String(timeMs), engineSeq }, texts),
    );
    expect(said.length).toBeGreaterThan(100);
    expect(said.join('\n')).toBe(written.join('\n'));
    for (const minutes of KEPT_MINUTES) {
      const { candles } = memory.market('btcusdt').candles[minutes];
      const projected = [...fold.candles.values()].filter((row) => row.minutes === minutes);
      expect(candles.map(printCandle).join('\n')).toBe(projected.map(printCandle).join('\n'));
      expect(projected.length).toBeGreaterThan(0);
    }
  });

  it.each([1, 2])('have the same candles over a month of trades (seed %i)', (seed) => {
    const random = createRandom(seed);
    const memory = new Memory(MANY, START);
    const fold = new Fold({ lastOrderId: 0, lastEntryId: 0 }, []);
    let time = TIME_MS;
    let lastId = 0;
    for (let seq = 1; seq <= 6000; seq += 1) {
      time += random.below(random.below(20) === 0 ? 3 * HOUR_MS : MINUTE_MS);
      const step = makeStep(random, lastId, time);
      lastId += step.trades.length;
      memory.take(rowOf(seq, [step]));
      fold.add({
        outcomes: [{ steps: [toStep(step)], result: { kind: 'done' } }],
        asked: NOTHING_ASKED,
      });
    }
    for (const minutes of KEPT_MINUTES) {
      const { candles, fromMs, older } = memory.market('aaabbb').candles[minutes];
      const own = [...fold.candles.values()].filter(
        (row) => row.symbol === 'aaabbb' && row.minutes === minutes,
      );
      const recent = own.filter(({ startMs }) => startMs >= fromMs);
      expect(candles.map(printCandle).join('\n')).toBe(recent.map(printCandle).join('\n'));
      const gone = own.filter(({ startMs }) => startMs < fromMs);
      expect(older?.close).toBe(gone.at(-1)?.close);
      expect(gone.length).toBeGreaterThan(0);
      // Enough is kept, and not much more.
      const keptMs = time - fromMs;
      expect(keptMs).toBeGreaterThanOrEqual(KEPT_BACK_MS[minutes]);
      expect(keptMs).toBeLessThanOrEqual(
        (KEPT_BACK_MS[minutes] * 9) / 8 + minutes * MINUTE_MS * 2 + 3 * HOUR_MS,
      );
      const seqOf = fold.trades.findLast(
        ({ trade, timeMs }) => trade.symbol === 'aaabbb' && timeMs < fromMs,
      )?.engineSeq;
      expect(older?.engineSeq).toBe(seqOf);
    }
  });
});

const SIDE = { orderId: 1, account: 1, feePpm: 0, fee: 0n };

/** The whole step, as the projections want it. */
const toStep = ({ engineSeq, time, trades, markets }: PublicStep): Step => ({
  engineSeq,
  time,
  cause: 'command',
  orders: [],
  trades: trades.map((print) => ({ ...print, buyer: SIDE, seller: SIDE, rebate: 0n })),
  prevented: [],
  journals: [],
  books: [],
  phases: [],
  uncrosses: [],
  timers: [],
  withdrawals: [],
  reversals: [],
  accounts: [],
  markets,
});

const printCandle = (
  candle: Omit<TradedInterval, 'tradeCount'> & { tradeCount: bigint | number },
) =>
  [
    candle.startMs,
    candle.open,
    candle.high,
    candle.low,
    candle.close,
    candle.volume,
    candle.total,
    candle.tradeCount,
  ].join(' ');

const NOTHING_ASKED = new Map<number, never>();
const texts = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const toUnits = (trade: Trade) => ({
  symbol: trade.symbol,
  tradeId: String(trade.tradeId),
  price: BigInt(trade.priceTicks) * 10n ** BigInt(18 - trade.priceDecimals),
  volume: BigInt(trade.lots) * 10n ** BigInt(18 - trade.volumeDecimals),
  total: trade.total,
  takerSide: trade.takerSide,
});

describe('the last price', () => {
  it.each([1, 2, 3])('is reset with the projections, by a coarser precision (seed %i)', (seed) => {
    const random = createRandom(seed);
    const memory = new Memory(MANY, START);
    const fold = new Fold({ lastOrderId: 0, lastEntryId: 0 }, []);
    const take = (seq: number, step: PublicStep) => {
      memory.take(rowOf(seq, [step]));
      const steps = [toStep(step)];
      fold.add({ outcomes: [{ steps, result: { kind: 'done' } }], asked: NOTHING_ASKED });
    };
    let quotePrecision = 3;
    let resets = 0;
    for (let seq = 1; seq <= 500; seq += 1) {
      const isConfigured = seq === 1 || random.below(5) === 0;
      if (isConfigured && seq > 1) quotePrecision = random.below(4);
      const markets = isConfigured ? [exampleMarket({ symbol: 'aaabbb', quotePrecision })] : [];
      const made = seq === 1 ? [] : makeStep(random, seq * 10, TIME_MS + seq).trades;
      const trades = made.map((print) => ({
        ...print,
        symbol: 'aaabbb',
        priceDecimals: quotePrecision,
      }));
      const { lastPrice: before } = memory.market('aaabbb');
      take(seq, { engineSeq: seq, time: TIME_MS + seq, trades, markets });
      const { lastPrice } = memory.market('aaabbb');
      expect(lastPrice?.units ?? 0n).toBe(fold.markets.get('aaabbb')?.lastPrice?.units ?? 0n);
      expect(lastPrice?.timeMs ?? 0).toBe(fold.markets.get('aaabbb')?.lastPrice?.timeMs ?? 0);
      if (lastPrice?.units === 0n && before?.units !== 0n) resets += 1;
    }
    expect(resets).toBeGreaterThan(5);
  });
});

describe('the order of rows', () => {
  const random = createRandom(5);
  const steps = [1, 2, 3].map((time) => makeStep(random, time * 10, TIME_MS + time));
  const countOf = (memory: Memory) =>
    [...memory.markets.values()].reduce((sum, { trades }) => sum + trades.length, 0);

  it('a row that is missing is noticed, and changes nothing', () => {
    const memory = new Memory(MANY, START);
    expect(memory.take(rowOf(2, steps))).toBe(false);
    expect(memory.seq).toBe(0);
    expect(countOf(memory)).toBe(0);
  });

  it('a row that comes again is skipped, also in parts', () => {
    const memory = new Memory(MANY, START);
    const whole = rowOf(1, steps);
    const parts = [
      { ...whole, isLast: false, publicSteps: steps.slice(0, 1) },
      { ...whole, part: 1, publicSteps: steps.slice(1) },
    ] as const;
    expect(memory.take(parts[1])).toBe(false);
    for (const part of [parts[0], parts[0]]) expect(memory.take(part)).toBe(true);
    expect(memory.seq).toBe(0);
    for (const part of [parts[1], ...parts]) expect(memory.take(part)).toBe(true);
    expect(memory.seq).toBe(1);
    expect(memory.engineSeq).toBe(whole.engineSeq);
    expect(countOf(memory)).toBe(steps.flatMap(({ trades }) => trades).length);
  });
});

describe('bounds', () => {
  it.each([1, 2, 3])('the newest trades stay, and it is known what went (seed %i)', (seed) => {
    const random = createRandom(seed);
    const limits = { tradesMax: 40, tradesMs: 5000 };
    const memory = new Memory(limits, START);
    const all: { symbol: string; tradeId: number; time: number }[] = [];
    let time = TIME_MS;
    for (let seq = 1; seq <= 600; seq += 1) {
      time += random.below(seq % 50 === 0 ? 3000 : 100);
      const step = makeStep(random, all.length, time);
      expect(memory.take(rowOf(seq, [step]))).toBe(true);
      for (const { symbol, tradeId } of step.trades) all.push({ symbol, tradeId, time });
      for (const [symbol, { trades, olderTrades }] of memory.markets) {
        const twin = all.filter((trade) => trade.symbol === symbol);
        const first = Number(trades[0]?.tradeId);
        const kept = twin.filter(({ tradeId }) => tradeId >= first);
        expect(trades.map(({ tradeId }) => Number(tradeId)).join()).toBe(
          kept.map(({ tradeId }) => tradeId).join(),
        );
        expect(Number(olderTrades?.tradeId ?? 0)).toBe(
          twin.findLast(({ tradeId }) => tradeId < first)?.tradeId ?? 0,
        );
        expect(trades.length).toBeLessThanOrEqual((limits.tradesMax * 9) / 8);
        const newestMs = twin.at(-1)?.time ?? 0;
        expect(newestMs - Number(trades[0]?.timeMs)).toBeLessThanOrEqual((limits.tradesMs * 9) / 8);
        // Nothing goes before its time.
        const gone = twin.find(({ tradeId }) => tradeId === Number(olderTrades?.tradeId));
        const isOld = gone === undefined || newestMs - gone.time > limits.tradesMs;
        expect(isOld || trades.length >= limits.tradesMax).toBe(true);
      }
    }
    expect(memory.market('aaabbb').olderTrades).toBeDefined();
  });
});
