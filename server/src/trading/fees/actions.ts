// Defines fee tiers and changes their rates.

import { LIMITS } from '@rialto/matching';
import { noteAct } from '../../accounts/audit/actions.ts';
import { findFamily, lockAccount } from '../../accounts/trading-keys/access.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import { addAct } from '../operators/actions.ts';
import { setFeeTier } from '../operators/acts.ts';
import { noSuchAccount, termRefused } from '../operators/errors.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { isPinnedFamily, unpinFamily, upsertFamilyTiers } from './days-store.ts';
import { pinned } from './errors.ts';
import { listFeeTiers, upsertFeeTier } from './store.ts';
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

/**
 * Puts the family of an account into a tier: until the next fee day, or pinned, so that fee days
 * leave it alone.
 */
export async function setFamilyTier(
  ctx: Context,
  operator: Operator,
  { account, tier, isPinned, reason }: FamilyTier,
): Promise<bigint> {
  const known = (await listFeeTiers(ctx.db)).map((one) => one.tier);
  if (!known.includes(tier)) {
    throw termRefused('tier', `one that is defined: ${known.join(', ')}`, String(tier));
  }
  const id = await ctx.inTransaction(async (tx) => {
    const family = await lockFamily(tx, account);
    if (!isPinned && (await isPinnedFamily(tx, family))) throw pinned(family);
    await upsertFamilyTiers(tx, [{ account: Number(family), tier }], { isPinned, day: null });
    const day = Math.floor(ctx.clock.now() / DAY_MS);
    const act = isPinned ? 'fees pin' : 'fees set_tier';
    return addAct(
      ctx,
      tx,
      operator,
      setFeeTier(act, { account: Number(family), tier, day, reason }),
    );
  });
  ringEngine(ctx);
  return id;
}

export interface FamilyTier {
  /** Any account of the family. */
  readonly account: number;
  readonly tier: number;
  readonly isPinned: boolean;
  readonly reason: string;
}

/** From the next fee day on, the volume decides again. */
export async function unpinFamilyTier(
  ctx: Context,
  account: number,
  reason: string,
): Promise<{ family: bigint; wasPinned: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const family = await lockFamily(tx, account);
    const wasPinned = await unpinFamily(tx, family);
    noteAct(tx, {
      act: 'fees unpin',
      subject: `account ${family}`,
      details: { wasPinned, reason },
    });
    return { family, wasPinned };
  });
}

/** The main account, held against fee days and new sub-accounts. */
async function lockFamily(tx: Tx, account: number): Promise<bigint> {
  const family = await findFamily(tx, BigInt(account));
  if (family === undefined) throw noSuchAccount(String(account));
  await lockAccount(tx, family.id, family.userId);
  return family.id;
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
