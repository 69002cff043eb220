import type { FeeTier } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { percentOf, standingOf } from './tiers.ts';

const tier = (name: string, minVolume30d: string): FeeTier => ({
  tier: name,
  minVolume30d,
  makerFee: '0.001',
  takerFee: '0.001',
});
const TIERS = [tier('2', '1000000'), tier('0', '0'), tier('1', '50000')];

it('says what is missing to the next tier, exactly', () => {
  expect(standingOf(TIERS, '49999.99')).toMatchObject({ next: { tier: '1' }, missing: '0.01' });
  expect(standingOf(TIERS, '50000')).toMatchObject({ next: { tier: '2' }, missing: '950000' });
  expect(standingOf(TIERS, '2000000')).toMatchObject({ next: undefined, missing: '0' });
});

it('writes rates in hundredths', () => {
  expect(percentOf('0.00075')).toBe('0.075');
  expect(percentOf('-0.0001')).toBe('-0.01');
});
