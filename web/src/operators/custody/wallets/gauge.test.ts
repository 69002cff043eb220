import { expect, it } from 'vitest';
import type { CustodyTier } from '../../../api/custody.ts';
import { gaugeOf } from './gauge.ts';

const tier = (changes: Partial<CustodyTier>): CustodyTier => ({
  network: 'LTC',
  coin: 'ltc',
  hot: '10',
  measuredAt: '1760000000000',
  floor: '5',
  target: '20',
  ceiling: '100',
  cold: 'ltc1',
  state: 'within',
  ...changes,
});

it('the marks stand in their order, and all of them on the bar', () => {
  const { hot, floor, target, ceiling } = gaugeOf(tier({})) ?? { hot: -1 };
  expect([floor, hot, target, ceiling]).toEqual(
    [floor, hot, target, ceiling].toSorted((a = 0, b = 0) => a - b),
  );
  expect(hot).toBeGreaterThan(0);
  expect(ceiling).toBeLessThan(100);
});

it('more than the ceiling is on the bar too', () => {
  const gauge = gaugeOf(tier({ hot: '1000' }));
  expect(gauge?.hot).toBeLessThan(100);
  expect(gauge?.ceiling).toBeLessThan(gauge?.hot ?? 0);
});

it('an empty wallet is at the beginning; without bounds or a measure there is no bar', () => {
  expect(gaugeOf(tier({ hot: '0' }))?.hot).toBe(0);
  expect(gaugeOf(tier({ hot: '0', floor: '0', target: '0', ceiling: '0' }))?.ceiling).toBe(0);
  expect(gaugeOf(tier({ ceiling: '' }))).toBeUndefined();
  expect(gaugeOf(tier({ hot: '' }))).toBeUndefined();
});
