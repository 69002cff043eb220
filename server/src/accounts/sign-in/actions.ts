// Admits attempts to sign in. An attempt takes its tokens in one transaction, before the password
// is checked; a refused one takes nothing. Nobody can lock somebody else out: each known place has
// its own bucket, and only attempts from that place take from it.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { DAY_SECONDS } from '../../platform/std/time.ts';
import { findKnownPlace, listKnownAddresses, noteAddress } from '../known-places/actions.ts';
import { tooManyLogins } from '../passwords/errors.ts';
import type { User } from '../user.ts';
import {
  addressTake,
  deploymentTake,
  emailTakes,
  knownAddressSubject,
  knownDeviceSubject,
  knownTake,
  nameSubject,
  nameTake,
  ownSubject,
  subjectOf,
  type Lane,
  type Take,
} from './lanes.ts';
import {
  addFailure,
  deleteIdleBuckets,
  endStreaks,
  readBucket,
  refill,
  returnToken,
  takeToken,
} from './store.ts';
import { takeInTurn, TooManyAsking } from './turns.ts';

/** A bucket that takes longer than this to fill cannot be configured, except a closed one. */
const CLOSED_DAYS = 90;
/** The retry time that a closed lane reports: a mailed link opens it sooner. */
const CLOSED_SECONDS = DAY_SECONDS;

/** Where somebody asks from. */
export interface SignInPlace {
  /** The network that the caller's address counts as. */
  readonly address: string;
  /** The token of the browser's device cookie, if it has one. */
  readonly device?: string | undefined;
  /**
   * Who is already authenticated, by a session or a key, when the password is asked for once more.
   */
  readonly signedIn?: { readonly userId: number; readonly sessionId?: bigint | undefined };
}

/** One admitted attempt. It must end in one of the ways below. */
export interface Attempt {
  readonly lane: Lane;
  /**
   * Counts it for one more subject too, for a stranger: a directory's entry that many names lead
   * to.
   */
  guard(text: string): Promise<void>;
  /** The password was wrong. */
  fail(): Promise<void>;
  /** Nothing was tried, so nothing is counted. */
  withdraw(): Promise<void>;
  /** The password was right. `user` is who it was, if they may come in. */
  succeed(user: User | undefined): Promise<void>;
}

/** Takes what an attempt needs, or refuses it. */
export async function beginAttempt(
  ctx: Context,
  name: string,
  place: SignInPlace,
): Promise<Attempt> {
  const { lane, takes } = await planOf(ctx, name, place);
  const taken: Take[] = [];
  const guarded: Buffer[] = [];
  const [first] = takes;
  const end = await takeInTurn(
    `${ctx.id} ${first?.subject.toString('hex') ?? ''}`,
    () => admit(ctx, lane, takes),
    (error) => error instanceof Refused && error.isOwn,
  ).catch((error: unknown) => {
    throw toRefusal(error);
  });
  taken.push(...takes);

  /** The bucket that failures in a row close: the name's or the place's own, not a shared one. */
  const streaks = () =>
    taken.filter(({ streakMax }) => streakMax !== Infinity).map(({ subject }) => subject);
  const settle = async (work: (tx: Tx) => Promise<void>) => {
    try {
      await ctx.inTransaction(work);
    } finally {
      end();
    }
  };

  return {
    lane,
    async guard(text) {
      const subject = subjectOf(ctx.secrets, text);
      guarded.push(subject);
      if (lane !== 'stranger') return;
      const take = nameTake(ctx.config, subject);
      await admit(ctx, lane, [take]).catch((error: unknown) => {
        throw toRefusal(error);
      });
      taken.push(take);
    },
    fail: () => {
      ctx.metrics.signedIn(lane, 'failed');
      return settle((tx) => addFailure(tx, streaks()));
    },
    withdraw: () =>
      settle(async (tx) => {
        for (const take of taken) await returnToken(tx, take);
      }),
    succeed: (user) => {
      ctx.metrics.signedIn(lane, 'succeeded');
      return settle(async (tx) => {
        const own = lane === 'device' ? taken.map(({ subject }) => subject) : streaks();
        await refill(tx, own);
        // An address and the deployment are shared: a right password returns what it took, and no
        // more.
        for (const take of taken) {
          if (lane === 'stranger' && take.streakMax === Infinity) await returnToken(tx, take);
        }
        if (user === undefined) return;
        const nameLookup = nameSubject(ctx.secrets, name);
        if (lane === 'device') {
          const known = await listKnownAddresses(tx, user.id);
          await endStreaks(tx, [
            nameLookup,
            nameSubject(ctx.secrets, user.email),
            ...guarded,
            ...known.map((address) => knownAddressSubject(ctx.secrets, user.id, address)),
            ownSubject(ctx.secrets, user.id, undefined),
          ]);
        }
        await noteAddress(tx, user, { address: place.address, name, nameLookup });
      });
    },
  };
}

async function planOf(
  { config, secrets, db }: Context,
  name: string,
  { address, device, signedIn }: SignInPlace,
): Promise<{ lane: Lane; takes: readonly Take[] }> {
  const only = (lane: Lane, subject: Buffer) => ({
    lane,
    takes: [knownTake(config, lane, subject)],
  });
  if (signedIn?.sessionId !== undefined) {
    return only('own', ownSubject(secrets, signedIn.userId, signedIn.sessionId));
  }
  const subject = nameSubject(secrets, name);
  const known = await findKnownPlace(db, secrets, { name, nameLookup: subject, address, device });
  if (known?.kind === 'device') {
    return only('device', knownDeviceSubject(secrets, known.userId, known.tokenLookup));
  }
  if (known?.kind === 'address') {
    return only('address', knownAddressSubject(secrets, known.userId, address));
  }
  if (signedIn !== undefined) return only('own', ownSubject(secrets, signedIn.userId, undefined));
  // In this order, so that concurrent transactions cannot deadlock.
  const takes = [
    nameTake(config, subject),
    addressTake(config, secrets, address),
    deploymentTake(config, secrets),
  ];
  return { lane: 'stranger', takes };
}

/** All of them in one transaction, or none. */
async function admit(ctx: Context, lane: Lane, takes: readonly Take[]): Promise<void> {
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
class Refused extends Error {
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

const REFUSED_SECONDS = 1;

function toRefusal(error: unknown): unknown {
  if (error instanceof Refused) return tooManyLogins(error.retryAfterSeconds);
  return error instanceof TooManyAsking ? tooManyLogins(REFUSED_SECONDS) : error;
}

/**
 * Counts an email that an unauthenticated visitor asked for, and runs `work` in the same
 * transaction. Returns false when there were too many; then nothing is done.
 */
export async function countEmail(
  ctx: Context,
  { email, network }: { readonly email: string; readonly network: string },
  work: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  try {
    await ctx.inTransaction(async (tx) => {
      for (const take of emailTakes(ctx.secrets, email, network)) {
        if (!(await takeToken(tx, take))) throw new Refused(0, true);
      }
      await work(tx);
    });
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Deletes buckets that are full again; returns how many. */
export const forgetSignIns = ({ db, config }: Context): Promise<number> =>
  deleteIdleBuckets(db, { streakMax: config.SIGN_IN_STREAK_MAX, closedDays: CLOSED_DAYS });
