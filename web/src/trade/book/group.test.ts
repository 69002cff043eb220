import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decimalsOf,
  groupLevels,
  groupOwn,
  stepsOf,
  textOf,
  unitsOf,
  type BookSide,
  type Level,
} from './group.ts';

const SCALE = { price: 2, volume: 3 };

it('bids go down, asks go up, and totals grow from the best price', () => {
  const bids = [
    { price: '64210.57', volume: '0.500' },
    { price: '64210.50', volume: '0.250' },
    { price: '64209.99', volume: '1.000' },
  ];
  expect(groupLevels(bids, 'bids', 100n, SCALE, 10)).toEqual([
    {
      ticks: 6_421_000n,
      price: '64210.00',
      volume: '0.750',
      total: '0.750',
      totalUnits: 750n,
      value: '48157.91000',
    },
    {
      ticks: 6_420_900n,
      price: '64209.00',
      volume: '1.000',
      total: '1.750',
      totalUnits: 1750n,
      value: '112367.90000',
    },
  ]);
  const asks = [
    { price: '64210.57', volume: '0.500' },
    { price: '64211.00', volume: '0.250' },
    { price: '64211.01', volume: '1.000' },
  ];
  expect(groupLevels(asks, 'asks', 100n, SCALE, 10).map(({ price }) => price)).toEqual([
    '64211.00',
    '64212.00',
  ]);
});

it('a market without decimals has none', () => {
  expect(textOf(12n, 0)).toBe('12');
  expect(unitsOf('12.00', 0)).toBe(12n);
  expect(() => unitsOf('1.5', 0)).toThrow('1.5');
});

it('offers steps that leave something to see', () => {
  expect(stepsOf('0.01', '64210.50', 2)).toEqual(['0.01', '0.1', '1', '10', '100']);
  expect(stepsOf('0.01', '3.20', 2)).toEqual(['0.01', '0.1']);
  expect(stepsOf('0.5', '0.5', 1)).toEqual(['0.5']);
  expect(['0.01', '0.1', '10'].map(decimalsOf)).toEqual([2, 1, 0]);
});

it('finds own orders in the row they fall into', () => {
  const own = new Map([
    ['buy:64210.57', '0.100'],
    ['buy:64210.10', '0.100'],
    ['sell:64210.57', '0.300'],
  ]);
  expect(groupOwn(own, 'bids', 100n, SCALE)).toEqual(new Map([[6_421_000n, '0.2']]));
  expect(groupOwn(own, 'asks', 100n, SCALE)).toEqual(new Map([[6_421_100n, '0.3']]));
});

/** Sorts, groups and sums anew for every row. */
function slowTwin(levels: readonly Level[], side: BookSide, step: bigint, max: number) {
  const groups = new Map<bigint, { ticks: bigint; units: bigint }[]>();
  for (const { price, volume } of levels) {
    const ticks = BigInt(price.replace('.', ''));
    const units = BigInt(volume.replace('.', ''));
    let group = 0n;
    while (group + step <= ticks) group += step;
    if (side === 'asks' && group !== ticks) group += step;
    groups.set(group, [...(groups.get(group) ?? []), { ticks, units }]);
  }
  const sorted = [...groups].sort(([a], [b]) => Number(side === 'asks' ? a - b : b - a));
  return sorted.slice(0, max).map(([ticks], at) => {
    const swept = sorted.slice(0, at + 1).flatMap(([, members]) => members);
    return {
      ticks,
      volume: sum(groups.get(ticks)?.map(({ units }) => units) ?? []),
      total: sum(swept.map(({ units }) => units)),
      value: sum(swept.map((one) => one.ticks * one.units)),
    };
  });
}

const sum = (all: readonly bigint[]): bigint => all.reduce((a, b) => a + b, 0n);

it('equals a slow twin for any book, step and number of rows', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 60 }),
      fc.constantFrom<BookSide>('bids', 'asks'),
      fc.constantFrom(1n, 5n, 10n, 100n, 1000n),
      fc.integer({ min: 1, max: 30 }),
      (prices, side, step, max) => {
        const levels = prices
          .toSorted((a, b) => (side === 'asks' ? a - b : b - a))
          .map((ticks) => ({
            price: textOf(BigInt(ticks), 2),
            volume: textOf(BigInt((ticks * 7) % 991) + 1n, 3),
          }));
        const rows = groupLevels(levels, side, step, SCALE, max);
        const plain = rows.map(({ ticks, volume, total, value }) => ({
          ticks,
          volume: unitsOf(volume, 3),
          total: unitsOf(total, 3),
          value: unitsOf(value, 5),
        }));
        expect(plain).toEqual(slowTwin(levels, side, step, max));
      },
    ),
  );
});
