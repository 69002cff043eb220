// A fee tier, as stored and as clients see it.

import { Type } from 'typebox';
import { formatAmount, formatRate } from '../amount.ts';
import { Count, Decimal } from '../values.ts';

/** How many days of volume decide about a tier. */
export const VOLUME_DAYS = 30;

export interface FeeTier {
  readonly tier: number;
  readonly minVolume30d: bigint;
  readonly makerMillionths: number;
  readonly takerMillionths: number;
}

export const FeeTierRow = Type.Object(
  {
    tier: Count('The tier, from 0.'),
    minVolume30d: Decimal('The 30-day volume from which it applies.'),
    makerFee: Decimal(
      'Part of the received amount that a resting order pays; below zero a rebate.',
    ),
    takerFee: Decimal('Part of the received amount that a taking order pays.'),
  },
  { title: 'FeeTier' },
);

export const toFeeTierRow = (tier: FeeTier) => ({
  tier: String(tier.tier),
  minVolume30d: formatAmount(tier.minVolume30d),
  ...toRates(tier),
});

export const toRates = ({ makerMillionths, takerMillionths }: FeeTier) => ({
  makerFee: formatRate(makerMillionths),
  takerFee: formatRate(takerMillionths),
});
