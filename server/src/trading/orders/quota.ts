// The daily ceiling of created orders, where an operator configured one. Orders are counted before they are placed, so
// that simultaneous calls cannot pass the ceiling together, and what was not created is given back after.
import { DAY_MS } from '../../platform/std/time.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { returnOrderQuota, takeOrderQuota } from './store.ts';

export interface TakenQuota {
  /** For orders that were not created after all. Never fails. */
  giveBack(count: number): Promise<void>;
}

/** Counts up to `count` orders that are about to be placed. */
export function takeQuota(
  ctx: TradingContext,
  caller: PrivateCaller,
  count: number,
): TakenQuota | Promise<TakenQuota> {
  const ceiling = ctx.config.TRADING_DAILY_ORDERS_MAX;
  return ceiling === 0 ? UNLIMITED : takeOfCeiling(ctx, caller, count, ceiling);
}

async function takeOfCeiling(
  ctx: TradingContext,
  { account, nowMs }: PrivateCaller,
  count: number,
  ceiling: number,
): Promise<TakenQuota> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  if (!(await takeOrderQuota(ctx.db, account.id, day, { count, ceiling }))) {
    const resetMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    throw refuse(
      'ORDER_QUOTA',
      `An account places at most ${ceiling} orders on a day (UTC).`,
      { limit: String(ceiling), resetAt: String(resetMs) },
      { 'Retry-After': String(Math.ceil((resetMs - nowMs) / 1000)) },
    );
  }
  return {
    giveBack: async (unused) => {
      if (unused > 0) await giveBack(ctx, account.id, day, unused);
    },
  };
}

const UNLIMITED: TakenQuota = { giveBack: async () => {} };

/**
 * If it fails, the account has a little less for the day; the placed orders must be reported all
 * the same.
 */
async function giveBack(
  ctx: TradingContext,
  accountId: bigint,
  day: string,
  count: number,
): Promise<void> {
  try {
    await returnOrderQuota(ctx.db, accountId, day, count);
  } catch (error) {
    ctx.log.warn({ err: error }, 'Unused order quota could not be given back.');
  }
}
