// Admits attempts to sign in. An attempt takes its tokens in one transaction, before the password
// is checked; a refused one takes nothing. Nobody can lock somebody else out: each known place has
// its own bucket, and only attempts from that place take from it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { findKnownPlace, listKnownAddresses, noteAddress } from '../known-places/actions.ts';
import type { User } from '../user.ts';
import { admit, isOwnRefusal, Refused, toRefusal } from './admit.ts';
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
  refill,
  returnToken,
  takeToken,
} from './store.ts';
import { takeInTurn } from './turns.ts';

/** A bucket that takes longer than this to fill cannot be configured, except a closed one. */
const CLOSED_DAYS = 90;

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
    isOwnRefusal,
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
      if (lane !== 'own') ctx.metrics.signInProven('password', 'failed');
      return settle(async (tx) => void (await addFailure(tx, streaks())));
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
  deleteIdleBuckets(db, {
    // A bucket does not say whether it counts passwords or codes, so the smaller number closes it.
    streakMax: Math.min(config.SIGN_IN_STREAK_MAX, config.SIGN_IN_CODE_STREAK_MAX),
    closedDays: CLOSED_DAYS,
  });

/** Opens what failures of strangers have closed: the person has proved in another way that they are here. */
export const openLanes = (
  tx: Tx,
  { secrets }: Pick<Context, 'secrets'>,
  user: User,
): Promise<void> =>
  endStreaks(tx, [nameSubject(secrets, user.email), ownSubject(secrets, user.id, undefined)]);
