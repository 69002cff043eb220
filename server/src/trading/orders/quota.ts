// The daily ceiling of created orders, where an operator configured one.
import { Refusal } from '../../platform/http/refusal.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { TradingContext } from '../context.ts';
import { EngineFailure } from '../engine/door.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { returnOrderQuota, takeOrderQuota } from './store.ts';

/**
 * Runs a placement of up to `count` orders within the account's quota. They are counted before, so that
 * simultaneous calls cannot pass the ceiling together, and what was not created is given back after.
 */
export async function withinQuota<T extends { readonly created: number }>(
  ctx: TradingContext,
  { account, nowMs }: PrivateCaller,
  count: number,
  place: () => Promise<T>,
): Promise<T> {
  const ceiling = ctx.config.TRADING_DAILY_ORDERS_MAX;
  if (ceiling === 0) return place();
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
  let unused = 0;
  try {
    const placed = await place();
    unused = count - placed.created;
    return placed;
  } catch (error) {
    // Where the outcome is unknown, the orders stay counted.
    const isNothingDone =
      error instanceof Refusal || (error instanceof EngineFailure && error.kind !== 'unknown');
    if (isNothingDone) unused = count;
    throw error;
  } finally {
    if (unused > 0) await giveBack(ctx, account.id, day, unused);
  }
}

/** Should it fail, the account has a little less for the day; what was placed must be told all the same. */
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
