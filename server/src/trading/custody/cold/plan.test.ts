import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHANGE_MIN } from '../payments/access.ts';
import { planReturn } from './plan.ts';

const coin = fc.record({
  txid: fc.constant('a'),
  vout: fc.nat(1000),
  units: fc.bigInt(1n, 10n ** 10n),
  address: fc.constant('cold'),
});

it('pays what was asked for, keeps every unit in sight, and never makes dust', () => {
  fc.assert(
    fc.property(
      fc.array(coin, { maxLength: 60 }),
      fc.bigInt(1n, 10n ** 10n),
      fc.bigInt(1n, 500n),
      (coins, units, rate) => {
        const plan = planReturn(coins, units, rate);
        const sum = (all: readonly { units: bigint }[]) => all.reduce((a, b) => a + b.units, 0n);
        if (plan === undefined) {
          const best = coins.toSorted((a, b) => Number(b.units - a.units)).slice(0, 50);
          expect(sum(best)).toBeLessThan(units + rate * BigInt(98 + 106 * 50));
          return;
        }
        expect(sum(plan.coins)).toBe(units + plan.fee + plan.change);
        expect(plan.change === 0n || plan.change >= CHANGE_MIN).toBe(true);
        expect(plan.fee).toBeGreaterThanOrEqual(rate * BigInt(plan.size));
        expect(plan.fee).toBeLessThan(rate * BigInt(plan.size) + CHANGE_MIN);
        expect(plan.coins.length).toBeLessThanOrEqual(50);
      },
    ),
  );
});

it('takes the largest coins, and says so when they are not enough', () => {
  const coins = [10n, 500_000n, 20n].map((units, vout) => ({
    txid: 'a',
    vout,
    units,
    address: 'cold',
  }));
  expect(planReturn(coins, 400_000n, 10n)?.coins.map(({ vout }) => vout)).toEqual([1]);
  expect(planReturn(coins, 499_999n, 10n)).toBeUndefined();
  expect(planReturn([], 1n, 1n)).toBeUndefined();
});
