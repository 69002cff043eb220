import { expect, it } from 'vitest';
import { toFine } from '../reconciliation/difference.ts';
import { tierState } from './tiers.ts';

const BOUNDS = { floor: '5', target: '8', ceiling: '12.5', cold: 'ltc1' };
const coins = (tenths: bigint) => toFine(tenths, 1);

it('a hot wallet is within its bounds, below or above them; the bounds themselves are within', () => {
  expect(tierState(coins(50n), BOUNDS)).toBe('within');
  expect(tierState(coins(125n), BOUNDS)).toBe('within');
  expect(tierState(coins(50n) - 1n, BOUNDS)).toBe('below_floor');
  expect(tierState(coins(125n) + 1n, BOUNDS)).toBe('above_ceiling');
  expect(tierState(0n, BOUNDS)).toBe('below_floor');
});

it('what was not measured, or has no bounds, is said to be so', () => {
  expect(tierState(undefined, BOUNDS)).toBe('unknown');
  expect(tierState(undefined, undefined)).toBe('unknown');
  expect(tierState(coins(1n), undefined)).toBe('unbounded');
});
