import type { Db } from '../../platform/db/pool.ts';
import { assert } from '../../platform/std/assert.ts';
import type { TradingContext } from '../context.ts';
import { remember } from '../remember.ts';
import { listFeeTiers } from './store.ts';
import type { FeeTier } from './tier.ts';

export { findLastFinished as findLastFeeDay } from './days-store.ts';

const TIERS_AGE_MS = 1000;

export const rememberFeeTiers = (db: Db) => remember(TIERS_AGE_MS, () => listFeeTiers(db));

/** The rates of a tier; accounts are only put into existing tiers. */
export async function getFeeTier(ctx: TradingContext, tier: number): Promise<FeeTier> {
  const found = (await ctx.feeTiers()).find((one) => one.tier === tier);
  assert(found !== undefined, 'an account has a fee tier that exists', { tier });
  return found;
}
