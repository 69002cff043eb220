import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/std/time.ts';
import { createRandom } from '../../testing/random.ts';
import { emptyMarket, Memory } from '../replica/fold.ts';
import { openOf, sumDay } from './day.ts';

const TIME_MS = 1_760_000_000_000;
const LIMITS = { tradesMax: 10, tradesMs: HOUR_MS };

it.each([1, 2, 3])('a day is what its trades sum up to (seed %i)', (seed) => {
  const random = createRandom(seed);
  const memory = new Memory(LIMITS, { seq: 0, engineSeq: 0 });
  const all: { time: number; price: bigint; volume: bigint; total: bigint }[] = [];
  let time = TIME_MS;
  for (let seq = 1; seq <= 3000; seq += 1) {
    time += random.below(random.below(200) === 0 ? 30 * HOUR_MS : 4 * MINUTE_MS);
    const [priceTicks, lots, total] = [
      1 + random.below(999),
      1 + random.below(999),
      random.below(9),
    ];
    const print = {
      tradeId: seq,
      symbol: 'aaabbb',
      priceTicks,
      lots,
      priceDecimals: 18,
      volumeDecimals: 18,
      total: BigInt(total),
      takerSide: 'buy',
    } as const;
    const step = { engineSeq: seq, time, trades: [print], markets: [] };
    memory.take({ seq, engineSeq: seq, part: 0, isLast: true, publicSteps: [step] });
    all.push({ time, price: BigInt(priceTicks), volume: BigInt(lots), total: BigInt(total) });
    if (random.below(10) > 0) continue;
    // Now and then nobody has traded for hours.
    const openMs = openOf(time + random.below(3) * random.below(DAY_MS));
    const own = all.filter((trade) => trade.time >= openMs);
    const before = all.findLast((trade) => trade.time < openMs);
    const prices = own.map(({ price }) => price);
    const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n);
    expect(sumDay(memory.market('aaabbb').candles, openMs)).toEqual({
      open: prices[0],
      high: prices.length === 0 ? undefined : prices.reduce((a, b) => (a > b ? a : b)),
      low: prices.length === 0 ? undefined : prices.reduce((a, b) => (a < b ? a : b)),
      last: prices.at(-1) ?? before?.price,
      previousClose: before?.price,
      volume: sum(own.map(({ volume }) => volume)),
      total: sum(own.map((trade) => trade.total)),
      tradeCount: BigInt(own.length),
    });
  }
});

it('a market that never traded has no prices', () => {
  const day = sumDay(emptyMarket().candles, openOf(TIME_MS));
  expect(day).toMatchObject({
    open: undefined,
    last: undefined,
    previousClose: undefined,
    tradeCount: 0n,
  });
});
