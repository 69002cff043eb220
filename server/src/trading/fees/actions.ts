// Defines fee tiers and changes their rates.

import { LIMITS } from '@rialto/matching';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import { addAct } from '../operators/actions.ts';
import { termRefused } from '../operators/errors.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { upsertFeeTier } from './store.ts';
import type { FeeTier } from './tier.ts';

const TIER_MAX = 1000;

/** Defines a tier's rates, or changes them for every account in it; table and engine together. */
export async function defineFeeTier(
  ctx: Context,
  operator: Operator,
  tier: FeeTier,
): Promise<bigint> {
  checkTier(tier);
  const id = await ctx.inTransaction(async (tx) => {
    await upsertFeeTier(tx, tier);
    return addAct(ctx, tx, operator, {
      act: 'fees define',
      subject: `tier ${tier.tier}`,
      command: {
        type: 'define_fee_tier',
        tier: tier.tier,
        makerPpm: tier.makerMillionths,
        takerPpm: tier.takerMillionths,
      },
      details: { minVolume30d: tier.minVolume30d },
    });
  });
  ringEngine(ctx);
  return id;
}

/** What the engine would refuse is refused before it is written to the table. */
function checkTier({ tier, makerMillionths, takerMillionths }: FeeTier): void {
  const isWithin = (value: number, low: number, high: number) =>
    Number.isInteger(value) && value >= low && value <= high;
  const max = LIMITS.feePpmMax;
  if (!isWithin(tier, 0, TIER_MAX)) {
    throw termRefused('tier', `a whole number from 0 to ${TIER_MAX}`, String(tier));
  }
  if (!isWithin(takerMillionths, 0, max)) {
    throw termRefused('taker', `from 0 to ${max} millionths`, String(takerMillionths));
  }
  if (!isWithin(makerMillionths, -takerMillionths, max)) {
    throw termRefused(
      'maker',
      `from -${takerMillionths} to ${max} millionths, as a rebate never exceeds the taker fee`,
      String(makerMillionths),
    );
  }
}
