// Takes the tokens that an attempt needs, or refuses it.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { DAY_SECONDS } from '../../platform/std/time.ts';
import { tooManyLogins } from '../passwords/errors.ts';
import type { CodeLane, Lane, Take } from './lanes.ts';
import { readBucket, takeToken } from './store.ts';
import { TooManyAsking } from './turns.ts';

/** The retry time that a closed lane reports: a mailed link opens it sooner. */
const CLOSED_SECONDS = DAY_SECONDS;

/** All of them in one transaction, or none. `also` runs in it too. */
export async function admit(
  ctx: Context,
  lane: Lane | CodeLane,
  takes: readonly Take[],
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    const [first] = takes;
    // Many attempts at an empty name cost one look each, and no lock.
    const seconds = first === undefined ? 0 : await secondsUntil(ctx.db, first);
    if (seconds > 0) throw new Refused(seconds, true);
    await ctx.inTransaction(async (tx) => {
      for (const take of takes) {
        if (await takeToken(tx, take)) continue;
        throw new Refused(Math.max(1, await secondsUntil(tx, take)), take === first);
      }
      await also?.(tx);
    });
  } catch (error) {
    if (error instanceof Refused) {
      ctx.metrics.signInThrottled(lane);
      ctx.metrics.lockedOut();
    }
    throw error;
  }
}

/** Rolls the transaction back, so that nothing was taken. */
export class Refused extends Error {
  override name = 'Refused';
  readonly retryAfterSeconds: number;
  /** Whether it is the name's or the place's own bucket that is empty. */
  readonly isOwn: boolean;
  constructor(retryAfterSeconds: number, isOwn: boolean) {
    super('Too many attempts to sign in.');
    this.retryAfterSeconds = retryAfterSeconds;
    this.isOwn = isOwn;
  }
}

/** How long until there is a token; zero when there is one. */
async function secondsUntil(db: Db, take: Take): Promise<number> {
  const { tokens = take.tokens, streak = 0 } = (await readBucket(db, take)) ?? {};
  if (streak >= take.streakMax) return CLOSED_SECONDS;
  return tokens >= 1 ? 0 : Math.max(1, (1 - tokens) * take.refillSeconds);
}

/** Whether it is worth to wait for others who are under way: success of theirs refills the bucket. */
export const isOwnRefusal = (error: unknown): boolean => error instanceof Refused && error.isOwn;

const REFUSED_SECONDS = 1;

export function toRefusal(error: unknown): unknown {
  if (error instanceof Refused) return tooManyLogins(error.retryAfterSeconds);
  return error instanceof TooManyAsking ? tooManyLogins(REFUSED_SECONDS) : error;
}
